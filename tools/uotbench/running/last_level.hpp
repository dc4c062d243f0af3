// How much the last level of cache holds, measured before anything depends on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/sweep/workers/worker_pool.hpp"
#include "results/base/json_fwd.hpp"
#include "results/record/run_header.hpp"
#include "tools/uotbench/running/execute.hpp"

namespace uotbench {

struct LastLevelOptions {
  bool any = false;                       ///< also if the reported size is plausible
  bool quick = false;                     ///< fewer and smaller working sets (cache_probe)
  bool quiet = false;                     ///< print no progress
  std::optional<double> seconds = {};     ///< absent: no limit; after it, no more sets
  std::vector<std::string> workers = {};  ///< empty: the best one
};

/// "probed_caches" of the machine facts (cache_probe.hpp); the records are kept next to the ceilings. Null:
/// the size that the system reports is plausible, or the time or the user ended it.
Json measured_last_level(const MachineFacts& machine, const LastLevelOptions& options, WorkerPool& pool);

/// For a run that counts in simulated caches, which are as large as this machine's: measures the last level
/// if its reported size is doubtful and no earlier measurement is stored. A run that goes on keeps its sizes.
void measure_simulated_last_level(const Execution& what, WorkerPool& pool);

}  // namespace uotbench
