// The journal of a run: JSON Lines, each appended whole and fsynced, so that whatever is killed, whenever,
// every finished line is there.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/record/record.hpp"
#include "results/record/run_header.hpp"

namespace uotbench {

inline constexpr int run_schema = 1;

/// The open end of a run file. Holds an exclusive flock: a second writer is refused.
class RunFile {
 public:
  enum class Mode {
    create,    ///< refuse a file that holds something
    replace,   ///< start over
    continue_  ///< keep what is there; cut a torn last line
  };

  /// Makes missing parent folders. `resumable`: --resume can go on with it, and messages say so. Throws
  /// UsageError: in use by another process, holds a run already (create), holds something else (continue_),
  /// cannot be written.
  RunFile(std::filesystem::path path, Mode mode, bool resumable = true);
  ~RunFile();
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;

  /// One line, durable on return. On failure (disk full) the file is cut back to its last whole line and
  /// Error is thrown.
  void append(const Json& line);
  /// Several lines under one fsync: the records of a group. Returns the lines' texts.
  std::vector<std::string> append_all(const std::vector<Json>& lines);

  const std::filesystem::path& path() const { return path_; }

 private:
  void require_run() const;
  void cut_torn_line();

  std::filesystem::path path_;
  int fd_ = -1;
  bool resumable_;
  bool fresh_ = false;  ///< created here and still empty: removed again if nothing gets written
};

/// A ceiling that was measured in a run for its cases, because they exceeded the one it was given: a line
/// {"kind": "ceiling", "exceeded_by": [ids], "was": …, "record": {…}}; or because there was none near them in
/// time: {"kind": "ceiling", "needed_by": [ids], "record": {…}}. It is no case of the run.
struct CeilingAgain {
  Record record;                              ///< of a kernel of the family `ceiling`
  std::vector<std::string> exceeded_by = {};  ///< ids of cases that were faster than the roof allowed
  double was = 0;  ///< the ceiling that they exceeded: bytes, flops or operations per second
  std::vector<std::string> needed_by = {};  ///< ids of cases that had no such ceiling near them
};
Json to_json(const CeilingAgain& ceiling);

/// A run, read whole.
struct Run {
  std::filesystem::path path = {};
  /// The first line, with what later starts replaced of it: the plan in force, its sweep, its options.
  RunHeader header = {};
  std::vector<Record> records = {};      ///< the last record of every id, in the order of the plan
  std::vector<LaterStart> resumes = {};  ///< in the order of the file
  std::vector<CeilingAgain> ceilings_again = {};
  std::optional<RunEnd> end = {};            ///< absent: the run was cut off
  std::vector<std::string> unfinished = {};  ///< planned ids without a final record
  std::vector<Record> unplanned = {};        ///< final records that the plan does not name
  std::vector<std::string> warnings = {};    ///< about the file itself: torn last line, unreadable lines

  /// The ids of the plan in force, in its order; none where the file has no plan.
  const std::vector<std::string>& plan() const;
  /// What a record was measured on; unknown where a merged run does not say it.
  const MachineFacts& machine_of(const Record& record) const;
  /// Those of the newest start that wrote them.
  const MachineFacts& newest_machine() const;
  const Named<WorkerBuild>& newest_workers() const;
};

/// The first line of a run file; absent where the file cannot be read, or is none.
std::optional<RunHeader> first_line_of(const std::filesystem::path& path);

/// The plan in force in a run file, without its records being read; absent where there is none.
std::optional<std::vector<std::string>> plan_in_force(const std::filesystem::path& path);

/// Throws UsageError where the file is missing or is not a run file. A torn last line is left out; a broken
/// line elsewhere is a warning naming the line.
Run read_run(const std::filesystem::path& path);

/// The same for a program that ends when it has printed the run: it is not taken apart before, which of 10^5
/// records is a tenth of all the work.
const Run& read_run_for_good(const std::filesystem::path& path);

/// Where a new run of a sweep is written: NAME-UTC.jsonl.
std::filesystem::path new_run(const std::string& name, const std::filesystem::path& folder = "results/runs");

/// The stored runs of a sweep, the newest first.
std::vector<std::filesystem::path> runs_of(const std::string& name,
                                           const std::filesystem::path& folder = "results/runs");

/// The file meant by RUN: a path, or the name of a sweep, whose newest file in `folder` it is. Throws
/// UsageError naming what is there.
std::filesystem::path find_run(const std::string& name, const std::filesystem::path& folder = "results/runs");

// Run files of one sweep, joined: the shards of a run, or runs of disjoint cases.

struct Merged {
  std::string sweep;                  ///< its name
  std::string text;                   ///< of the run file: first line, records, end
  std::vector<std::string> warnings;  ///< missing shards and records, several machines or builds of a worker
};

/// The first file's header with the plan of all, "merged" (where each part comes from) and, where there are
/// several, "machines" by fingerprint; records keep their lines, with the machine where there are several.
/// Throws UsageError where files do not belong together: another sweep, options or oracle; a shard or a final
/// case twice; shards of different divisions, or some with and some without.
Merged merge_runs(const std::vector<std::filesystem::path>& files);

/// The newest file of every shard of the newest sharded run of a sweep; NAME.2of8-UTC.jsonl. Throws
/// UsageError where there is none.
std::vector<std::filesystem::path> shards_of(const std::string& name,
                                             const std::filesystem::path& folder = "results/runs");

}  // namespace uotbench
