#include "harness/protocol/point_json.hpp"

#include <fmt/format.h>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/value_json.hpp"

namespace uotbench {
namespace {

void update(Point& point, const Json& json) {
  if (!json.is_object()) throw Error(fmt::format("{} is no point: not an object", to_line(json)));
  for (const auto& [axis, value] : json.items()) point.set(axis, value_from(value));
}

}  // namespace

Json to_json(const Point& point) { return to_json(point.values()); }

Point point_from(const Json& json) {
  Point point;
  update(point, json);
  return point;
}

std::vector<Point> planned_points(const Json& request) {
  const Point common = point_from(request.value("common", Json::object()));
  std::vector<Point> points;
  for (const auto& own : request.at("points")) {
    points.push_back(common);
    update(points.back(), own);
  }
  return points;
}

}  // namespace uotbench
