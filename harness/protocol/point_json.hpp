// Axes and points as JSON, and the settings of the harness that a point has.
#pragma once

#include <string>
#include <vector>

#include "harness/protocol/axis.hpp"
#include "harness/protocol/point.hpp"
#include "results/base/json_fwd.hpp"
#include "results/record/axes/settings.hpp"

namespace uotbench {

// Points as JSON, in requests.

Json to_json(const Point& point);
/// `json` is an object of scalars. Throws Error where it is not.
Point point_from(const Json& json);

/// The points that a `plan` request asks about: what it says in `common`, and each of `points` adds.
std::vector<Point> planned_points(const Json& request);

// Axes as JSON: how workers describe them, and what of a sweep's JSON they take.

/// The kind of a size is "size": so it was spelled before axes had roles, and is still read.
Json to_json(const Axis& axis);

/// Whose axis a description is of: where it has no role, one of a family belongs to the problem, and one of
/// a variant is a setting or a tunable by its name.
enum class Describes { family, variant };
/// Of JSON that configs/protocol.schema.json accepts. Throws Error for a kind or a role that it cannot have.
Axis axis_from(const Json& json, Describes whose);

/// Whether `value` is one of the axis's.
bool accepts(const Axis& axis, const Value& value);
/// Why `value` is not one of the axis's, e.g. `"f16" is not one of f32, f64`; empty: it is.
std::string axis_violation(const Axis& axis, const Json& value);
std::string value_violation(const Axis& axis, const Value& value);

// The settings of a point as kernels' workers hold it.

/// An axis that the point lacks has its default. Throws Error naming an axis that is of another type.
Settings settings_of(const Point& point);

}  // namespace uotbench
