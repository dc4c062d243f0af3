// What makes a run's numbers doubtful by where they come from: known from its first line alone.
#pragma once

#include <string>
#include <vector>

#include "results/record/run_header.hpp"

namespace uotbench {

/// They make a comparison doubtful, too: Debug builds, CPU quotas, shards that are missing, several machines
/// or builds in a merged run.
std::vector<std::string> origin_warnings(const RunHeader& header);

}  // namespace uotbench
