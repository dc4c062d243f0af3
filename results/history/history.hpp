// A case's measurements over many commits: the folder that holds them, a run of a commit as it is kept, and
// what is made of all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/statistics/statistics.hpp"
#include "results/view/table.hpp"

namespace uotbench {

// One run of a commit as a history keeps it: its cases, counters and build.

inline constexpr int history_schema = 1;

struct HistoryCommit {
  std::string hash;
  std::int64_t time = 0;                  ///< when it was committed, seconds since 1970 (UTC)
  std::string subject = {};               ///< the first line of its message; empty: not known
  std::vector<Acceptance> accepted = {};  ///< what it, or what it merged, says is slower on purpose
  /// How many commits its first parents lead back to, itself counted: the order of commits of one second.
  std::optional<std::size_t> position = {};
  bool time_of_run = false;  ///< no repository knew it: `time` is when it was measured
};

/// A count that is the same whenever the same code runs, or a number that the benchmark reports.
struct HistoryCount {
  std::string name, source, unit;
  std::string of;  ///< a hash of all else that it depends on: its formula, the simulated caches
  double value = 0;

  /// It is not the same in each run, and whether more of it is worse is not known.
  bool is_reported() const { return source == "the benchmark"; }
};

struct HistoryCase {
  std::string id;
  std::string per = {};  ///< iteration, solve or part; empty: not timed
  std::optional<double> seconds = {}, low = {},
                        high = {};  ///< the median of processes; the fastest, the slowest
  std::size_t processes = 0;
  std::string inputs = {};  ///< a hash of the user's files that it was made from; empty: of none
  std::vector<HistoryCount> counts = {};
};

struct HistoryEntry {
  HistoryCommit commit;
  std::string machine = {}, cpu = {};  ///< the fingerprint, and what it is called
  std::map<std::string, std::string>
      builds;                            ///< of each worker: compiler and flags, or other facts, as a text
  std::string sweep = {}, started = {};  ///< of the run: its name, UTC
  std::vector<HistoryCase> cases = {};
  std::string file = {};  ///< where it was read
};

/// The commit that the workers of a run were built from. Throws UsageError where they report none or several,
/// or had changes.
std::string commit_of_run(const Run& run);

/// What a history keeps of a run, an entry a machine: cases that are ok, of a gate's the candidate's. None
/// where no case is ok.
std::vector<HistoryEntry> entries_of(const Run& run, const HistoryCommit& commit);

/// Lines of JSON: what it is of, a line a case, an end.
std::string text_of(const HistoryEntry& entry);
/// Throws Error that says what is wrong: torn, foreign, of a newer version.
HistoryEntry entry_from(const std::string& text);

/// The worker of a case's id.
std::string worker_of(const std::string& id);

// What a history calls a build: two of one text can be held against each other.

/// "g++ 12.2.0 -O3 -march=x86-64-v4 Release": a worker's facts of its build, but for its commit, and for the
/// folders that it was built in and is started from, which differ with every checkout.
std::string text_of_build(const Json& build);

/// The same text of one that an earlier uotbench kept with such folders.
std::string without_folders(const std::string& text);

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
