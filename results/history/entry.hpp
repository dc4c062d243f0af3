// One run of a commit as a history keeps it: its cases, counters and build.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {

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

}  // namespace uotbench
