// Axes as JSON: how workers describe them, and what of a sweep's JSON they take.
#pragma once

#include <string>

#include "harness/protocol/axis.hpp"
#include "results/base/json.hpp"

namespace uotbench {

Json to_json(const Axis& axis);
/// Throws Error for a malformed description.
Axis axis_from(const Json& json);

/// Why `value` is not one of the axis's, e.g. `"f16" is not one of f32, f64`; empty: it is.
std::string objection(const Axis& axis, const Json& value);

}  // namespace uotbench
