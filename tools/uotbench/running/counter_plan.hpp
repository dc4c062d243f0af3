// What a sweep's counters are on this machine: groups from configs/counters and the user's own folder; and
// sources held against kernels whose cache lines are known (uotbench doctor --counters).
#pragma once

#include <filesystem>
#include <vector>

#include "harness/sweep/counting/counting.hpp"
#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "results/base/json_fwd.hpp"
#include "roofline/model/caches.hpp"
#include "tools/uotbench/views/machine.hpp"

namespace uotbench {

/// ${XDG_CONFIG_HOME:-~/.config}/uotbench/counters, where a user's groups stand.
std::filesystem::path own_counter_groups();

/// These shapes with the measured sizes of caches whose reported size is doubtful (CacheLevel::
/// is_shared_with_guests), rounded down to whole sets of their ways and lines.
CacheShapes with_measured_sizes(CacheShapes shapes, const Caches& caches);

/// Whether a group that is counted, of L3 or of traffic with memory, may come from a simulated cache.
bool simulates_last_level(const CounterPlans& counters, const WorkerPool& pool);

/// What the sweep asks for; where it says nothing of counters, what the workers of these cases count of
/// themselves. Throws UsageError.
CounterPlans counting_of(const Sweep& sweep, const Plan& cases, WorkerPool& pool);

// uotbench doctor --counters.

/// Runs what measures reading, and changing in place, over four times the last cache, with every source that
/// can count here. Throws UsageError, Error, Interrupted.
std::vector<SourceState> check_counters();

Json json_of(const std::vector<SourceState>& states);

}  // namespace uotbench
