// What a sweep's counters are on this machine: groups from configs/counters and the user's own folder.
#pragma once

#include "harness/sweep/counting.hpp"
#include "harness/sweep/sweep_file.hpp"

namespace uotbench {

/// ${XDG_CONFIG_HOME:-~/.config}/uotbench/counters, where a user's groups stand.
std::filesystem::path own_counter_groups();

/// Nothing wished for where the sweep counts nothing. Throws UsageError.
CounterPlan counter_plan(const Sweep& sweep, Crew& crew);

}  // namespace uotbench
