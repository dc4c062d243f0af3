// Axes as JSON: how workers describe them, and what of a sweep's JSON they take.
#pragma once

#include <string>

#include "harness/protocol/axis.hpp"
#include "results/base/json_fwd.hpp"

namespace uotbench {

/// The kind of a size is "size": so it was spelled before axes had roles, and is still read.
Json to_json(const Axis& axis);

/// Whose axis a description is of: where it has no role, one of a family belongs to the problem, and one of
/// a variant is a setting or a tunable by its name.
enum class Describes { family, variant };
/// Throws Error for a malformed description.
Axis axis_from(const Json& json, Describes whose);

/// Whether `value` is one of the axis's.
bool accepts(const Axis& axis, const Value& value);
/// Why `value` is not one of the axis's, e.g. `"f16" is not one of f32, f64`; empty: it is.
std::string axis_violation(const Axis& axis, const Json& value);
std::string value_violation(const Axis& axis, const Value& value);

}  // namespace uotbench
