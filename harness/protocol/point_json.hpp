// Points as JSON, in requests.
#pragma once

#include <vector>

#include "harness/protocol/point.hpp"
#include "results/base/json_fwd.hpp"

namespace uotbench {

Json to_json(const Point& point);
/// `json` is an object of scalars. Throws Error where it is not.
Point point_from(const Json& json);

/// The points that a `plan` request asks about: what it says in `common`, and each of `points` adds.
std::vector<Point> planned_points(const Json& request);

}  // namespace uotbench
