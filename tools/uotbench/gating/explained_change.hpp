// What a gate says about a change in addition to its verdict.
#pragma once

#include <string>

#include "results/gate/gate.hpp"
#include "results/record/record.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/record/run_header.hpp"

namespace uotbench {

// A gate's cases under the ceilings that were measured on its machine.

/// The header with the ceilings that are stored for its machine, where there are any.
RunHeader with_stored_ceilings(RunHeader header);

/// Warns of each case of `candidate` that is far faster than the ceilings in its header allow; none of them
/// counts as improved.
void doubt_beyond_ceilings(GateReport& report, const Run& candidate);

// Why a case's time changed, for the notes of a gate and the effect of a bisection.

/// Under the machine's stored ceilings, the part of a case's time that changed most between two records of
/// it, with both of its times, as `uotbench compare --explain` names it. `header`: the first line of their
/// run. Empty: it is not known, or what changed is in no part. Either record may be null.
std::string explained_change(RunHeader header, const Record* baseline, const Record* candidate);

}  // namespace uotbench
