// Times as JSON: what records and a worker's answers have in common.
#pragma once

#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/record/record.hpp"

namespace uotbench {

Json to_json(const Timing& time);
/// Throws Error for a unit that there is not, Json::exception for what is missing or of the wrong type.
Timing timing_from(const Json& json);

/// As workers report them, and records hold them; null where there are none.
Json to_json(const std::vector<PhaseSamples>& phases);
/// Throws Error where a phase has no name or one of another phase, or has what does not fit `samples`:
/// not a number for each, a negative one, or more than the sample, all phases together.
std::vector<PhaseSamples> phases_from(const Json& json, const std::vector<double>& samples);

}  // namespace uotbench
