// uotbench doctor --counters: counter sources held against kernels whose cache lines are known.
#pragma once

#include <vector>

#include "results/json_fwd.hpp"
#include "tools/uotbench/doctor_counters_view.hpp"

namespace uotbench {

/// Runs ceiling/read and ceiling/rmw over four times the last cache, with every source that can count here.
/// Throws UsageError, Error, Interrupted.
std::vector<SourceState> check_counters();

Json json_of(const std::vector<SourceState>& states);

}  // namespace uotbench
