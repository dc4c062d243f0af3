// A gate's cases under the ceilings that were measured on its machine.
#pragma once

#include "results/gate/gate.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {

/// The header with the ceilings that are stored for its machine, where there are any.
RunHeader with_stored_ceilings(RunHeader header);

/// Warns of each case of `candidate` that is far faster than the ceilings in its header allow; none of them
/// counts as improved.
void doubt_beyond_ceilings(GateReport& report, const Run& candidate);

}  // namespace uotbench
