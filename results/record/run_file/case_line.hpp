// A case's line of a run file, read.
#pragma once

#include "results/base/json_fwd.hpp"
#include "results/record/record.hpp"

namespace uotbench {

/// Unknown keys are ignored. Throws Error naming the place that is missing or of the wrong type.
Record record_from(Json json);

}  // namespace uotbench
