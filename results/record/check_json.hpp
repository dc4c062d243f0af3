// What the judge found as JSON, in records and in the oracle's answers.
#pragma once

#include "results/base/json_fwd.hpp"
#include "results/record/record.hpp"

namespace uotbench {

Json to_json(const Check& check);
/// Unknown keys are ignored. Throws Json::exception where one is missing or of the wrong type.
Check check_from(const Json& json);

}  // namespace uotbench
