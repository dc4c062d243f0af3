// uotbench doctor --counters: counter sources held against kernels whose cache lines are known.
#pragma once

#include <vector>

#include "results/base/json_fwd.hpp"
#include "tools/uotbench/views/doctor.hpp"

namespace uotbench {

/// Runs what measures reading, and changing in place, over four times the last cache, with every source that
/// can count here. Throws UsageError, Error, Interrupted.
std::vector<SourceState> check_counters();

Json json_of(const std::vector<SourceState>& states);

}  // namespace uotbench
