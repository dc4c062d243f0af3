// A case's measurements over many commits: the folder that holds them, and what is made of them.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/history/entry.hpp"
#include "results/statistics/change_points.hpp"
#include "results/view/table.hpp"

namespace uotbench {

// Where a history is: a folder with a file for each commit, machine and run, which git merges by taking both.

inline const char* const history_folder = ".uotbench/history";

struct StoredEntry {
  std::filesystem::path file;
  bool fresh = true;  ///< false: it was there
};

/// COMMIT-HASH.jsonl, where HASH is that of its text: the same run is kept once, however often it is added,
/// and no writer ever touches another's file. It is there whole or not at all.
StoredEntry store(const std::filesystem::path& folder, const HistoryEntry& entry);

struct StoredHistory {
  std::vector<HistoryEntry> entries;  ///< by the names of their files
  std::vector<std::string> warnings;  ///< files *.jsonl that were left out, and why
};

/// Throws UsageError where there is no folder, or no entry in it.
StoredHistory read_history(const std::filesystem::path& folder);

// A history as lines: a case on one machine, built one way, over the commits in their order; and its steps.

struct HistoryPoint {
  std::size_t commit = 0;  ///< in History::commits
  double value = 0;        ///< seconds; of several runs of a commit, their median
  double low = 0, high = 0;
};

/// Where a line becomes another one, and stays so.
struct HistoryStep {
  std::string of;  ///< "time", or a count's name
  std::string unit = "s";
  std::size_t good = 0, bad = 0;  ///< the last commit that was measured before it, the first after it
  /// Of commits that were measured: in 95 of 100 such steps the one that did it is after the first, and is
  /// the second or is before it.
  std::size_t surely_good = 0, surely_bad = 0;
  double before = 0, after = 0;                     ///< medians
  double ratio = 1;                                 ///< of after to before; 0 where that has none
  std::optional<ConfidenceInterval> interval = {};  ///< absent: counted, and so exact
  std::optional<std::string> accepted = {};         ///< why it is slower on purpose, and who says so
  bool is_reported =
      false;  ///< a number of the benchmark's own: more or less of it is neither better nor worse

  bool slower() const { return after > before && !is_reported; }
};

/// Values of a count that belong together.
struct HistoryCountLine {
  HistoryCount what;  ///< its value is not used
  std::vector<HistoryPoint> points;
};

struct HistoryLine {
  std::string id = {}, per = {};
  std::string machine = {}, build = {};   ///< what its points have in common
  std::string inputs = {};                ///< likewise: a hash of the user's files; empty: of none
  std::vector<HistoryPoint> points = {};  ///< times, in the order of the commits
  /// Robust standard deviation of a commit's time, from neighbours: steps and what creeps are no part of it.
  std::optional<double> noise = {};
  std::vector<HistoryCountLine> counts = {};
  std::vector<HistoryStep> steps = {};  ///< in the order of the commits
};

struct History {
  std::vector<HistoryCommit> commits;           ///< that were measured, the oldest first
  std::vector<HistoryLine> lines;               ///< by their case, then by their first commit
  std::map<std::string, std::string> machines;  ///< what a fingerprint's CPU is called
  std::vector<std::string> warnings, notes;
};

/// The commits of a repository that one line of parents goes through, the oldest first; empty: not known.
struct CommitLine {
  std::vector<HistoryCommit> commits = {};
  bool whole = true;  ///< false: a shallow clone lacks what is before them
};

/// Lines of all cases for which `wanted` holds. Commits are in the order of `line`, those that are not in it
/// are left out, with a note. Where it is empty, holds none of them, or is not whole and lacks some, they are
/// in that of their positions, where all have one, else of their times; a warning says where that leaves
/// their order open. Points of two machines, of two builds (compilers, flags), of two contents of the
/// user's input files or per two units are of two lines.
History history_of(StoredHistory stored, const CommitLine& line,
                   const std::function<bool(const std::string& id)>& wanted = {});

/// What the commits after `good`, up to `bad`, say is slower on purpose.
using AcceptedSince =
    std::function<std::vector<Acceptance>(const HistoryCommit& good, const HistoryCommit& bad)>;

/// Times by change_points(); a count steps wherever it is another one (callgrind's: by more than 1%). Steps
/// up that were accepted say so. `accepted_since` empty: what the history itself knows.
void find_steps(History& history, const StepRules& rules, const AcceptedSince& accepted_since = {});

/// "uotbench bisect 1a2b3c4d 5e6f7a8b --case ID".
std::string bisect_command(const History& history, const HistoryLine& line, const HistoryStep& step);
/// "2026-11-23 1a2b3c4d Its subject".
std::string text_of(const HistoryCommit& commit);
/// "1.052x (1.041 to 1.063)"; of a count "from 1.2M to 1.3M misses".
std::string text_of(const HistoryStep& step);
/// "slower", "faster", "accepted"; of a count "more", "fewer", "accepted".
std::string word_of(const HistoryStep& step);
/// "AMD EPYC (0123456789abcdef), g++ 12.2.0 -O3".
std::string place_of(const History& history, const HistoryLine& line);

/// A row a line: commits, the last time, a small picture, steps. Headings are machines and builds.
Table lines_table(const History& history);
/// A row a step, the newest first, each with the command that finds its commit.
Table steps_table(const History& history);
/// All of it, in base units.
Json json_of(const History& history);

/// Values as one of eight blocks each, at most `width` of them: beyond, the medians of groups of the size
/// that it takes. A blank where there is none.
std::string sparkline(const std::vector<std::optional<double>>& values, std::size_t width);

}  // namespace uotbench
