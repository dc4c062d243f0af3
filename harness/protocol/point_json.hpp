// Axes and points as JSON and as the ids of cases, and the settings of the harness that a point has.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// The text that names a case: its variant, its point, its worker.

/// uot/map_uot/M:4096/N:4096/threads:2@native-v4: the variant, sizes always, then every axis that differs
/// from its default alphabetically, values percent-encoded outside [A-Za-z0-9_.+-], then the worker.
/// `axes` are in declaration order; `point` holds effective values and `derived` what the family derived.
std::string case_id(std::string_view variant, const std::vector<Axis>& axes, const Json& point,
                    const Json& derived, std::string_view worker);

/// What an id names, before the axes are known: values are texts.
struct CaseName {
  std::string variant;
  std::vector<std::pair<std::string, std::string>> axes;  ///< in the order of the id
  std::string worker;
};

/// The inverse of `case_id`. Throws Error naming what is wrong.
CaseName parse_case_id(std::string_view id);

}  // namespace uotbench
