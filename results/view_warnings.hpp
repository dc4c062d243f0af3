// What a reader of a run must know before believing its numbers.
#pragma once

#include <string>
#include <vector>

#include "results/view.hpp"

namespace uotbench {

/// Lines with numbers, ready to print; many of one kind are a few and their count.
std::vector<std::string> warnings_of(const RunView& view);

/// Those that make a comparison doubtful too: Debug builds, shards that are missing, several machines or
/// builds in a merged run.
std::vector<std::string> origin_warnings(const Json& header);

}  // namespace uotbench
