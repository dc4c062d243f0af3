// How much the last level of cache holds, measured before anything depends on it: by a worker, over working
// sets of many sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/host/facts/topology.hpp"
#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/base/json_fwd.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/record/run_header.hpp"
#include "roofline/model/caches.hpp"
#include "tools/uotbench/running/execute.hpp"

namespace uotbench {

/// The cache that a probe looks for, and the working sets that it tries.
struct CacheProbe {
  DoubtfulCache cache;
  double inner = 0;                ///< bytes of the level within, as told
  std::vector<std::int64_t> sets;  ///< bytes, ascending, each the same factor times the one before
};

/// Of the last level, if that is doubtful: sets from half of the level within to twice the reported size, but
/// no more than 512 MiB nor a quarter of `memory` (bytes), by factors of sqrt(2). Absent: nothing to probe.
/// `any`: the last level, doubtful or not. `quick`: up to 300 MiB by factors of 1.7, half as many sets of 40%
/// of the bytes; a last level that holds less than five times the one within, or more than 100 MiB, may
/// not be found then.
std::optional<CacheProbe> cache_probe(const MachineFacts& machine, double memory, bool any, bool quick);

/// Loads that wait for each other (ceiling/chase), or an array read again and again (ceiling/read): a load's
/// time tells levels apart best, bandwidth does so where other programs share the CPUs.
enum class ProbeKernel { chase, read };

/// The sweep that measures it, one thread.
Sweep probe_sweep(const CacheProbe& probe, ProbeKernel kernel, const std::vector<std::string>& workers);

/// Seconds of a load, or of reading a cache line, over the working set: of each right case its best sample.
std::vector<LoadTime> load_times(const Run& run);

/// What a run of that sweep tells: an element of "probed_caches" in a run file's machine facts:
/// {"level": 3, "told": bytes, "doubt": why that is doubtful, or null, "bytes": bytes or null, "reason": why
/// null, "source": "ceiling/chase@native-v4", "made": UTC, "loads": [[bytes of the set, seconds of a load],
/// …]}.
Json probed_cache(const CacheProbe& probe, const Run& run);

struct LastLevelOptions {
  bool any = false;                       ///< also if the reported size is plausible
  bool quick = false;                     ///< fewer and smaller working sets (cache_probe)
  bool quiet = false;                     ///< print no progress
  std::optional<double> seconds = {};     ///< absent: no limit; after it, no more sets
  std::vector<std::string> workers = {};  ///< empty: the best one
};

/// "probed_caches" of the machine facts (probed_cache()); the records are kept next to the ceilings. Null:
/// the size that the system reports is plausible, or the time or the user ended it.
Json measured_last_level(const MachineFacts& machine, const LastLevelOptions& options, WorkerPool& pool);

/// For a run that counts in simulated caches, which are as large as this machine's: measures the last level
/// if its reported size is doubtful and no earlier measurement is stored. A run that goes on keeps its sizes.
void measure_simulated_last_level(const Execution& what, WorkerPool& pool);

}  // namespace uotbench
