// Why a case's time changed, for the notes of a gate and the effect of a bisection.
#pragma once

#include <string>

#include "results/record/record.hpp"
#include "results/record/run_header.hpp"

namespace uotbench {

/// Under the machine's stored ceilings, the part of a case's time that changed most between two records of
/// it, with both of its times, as `uotbench compare --explain` names it. `header`: the first line of their
/// run. Empty: it is not known, or what changed is in no part. Either record may be null.
std::string explained_change(RunHeader header, const Record* baseline, const Record* candidate);

}  // namespace uotbench
