// The parts of a record as JSON.
#pragma once

#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/record/record.hpp"
#include "results/record/work.hpp"

namespace uotbench {

// What the judge found as JSON, in records and in the oracle's answers.

Json to_json(const Check& check);
/// Unknown keys are ignored. Throws Json::exception where one is missing or of the wrong type.
Check check_from(const Json& json);

// Times as JSON: what records and a worker's answers have in common.

Json to_json(const Timing& time);
/// Throws Error for a unit that there is not, Json::exception for what is missing or of the wrong type.
Timing timing_from(const Json& json);

/// As workers report them, and records hold them; null where there are none.
Json to_json(const std::vector<PhaseSamples>& phases);
/// Throws Error where a phase has no name or one of another phase, or has what does not fit `samples`:
/// not a number for each, a negative one, or more than the sample, all phases together.
std::vector<PhaseSamples> phases_from(const Json& json, const std::vector<double>& samples);

Json to_json(const Work& work);
/// What is absent is 0, or not declared.
Work work_from(const Json& json);

}  // namespace uotbench
