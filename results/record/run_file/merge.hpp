// Run files of one sweep, joined: the shards of a run, or runs of disjoint cases.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace uotbench {

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
