// How long loads take that wait for one another, as ceiling/chase of the same run measured it.
#pragma once

#include <optional>

#include "results/record/record.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {

/// Seconds of a load that waits for the one before it, in a working set like this one; absent: not measured.
std::optional<double> load_latency(const Run& run, const Record& record, double working_set);

/// At least what a line takes to come from another core's cache: a load of the cache that they share. The
/// smallest working set of ceiling/chase in the run that is clearly beyond L2; absent: not measured.
std::optional<double> shared_latency(const Run& run, const Record& record);

}  // namespace uotbench
