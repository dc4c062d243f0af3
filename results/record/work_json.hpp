// A Work as JSON, in records and in the protocol.
#pragma once

#include "results/base/json_fwd.hpp"
#include "results/record/work.hpp"

namespace uotbench {

Json to_json(const Work& work);
/// What is absent is 0, or not declared.
Work work_from(const Json& json);

}  // namespace uotbench
