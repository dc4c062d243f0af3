// What the lines of a run file must look like: configs/run.schema.json, whose definitions they are.
#pragma once

#include <string>

#include "results/base/json_fwd.hpp"

namespace uotbench {

const Json& line_schema();

/// The deepest place of a line, or of a part of one, that is not as the definition says: "/time/inner:
/// expected an integer, got "x"", "/shard/order: missing; expected a list of integers". Empty: it agrees.
std::string line_violation(const std::string& definition, const Json& line);

}  // namespace uotbench
