#include "harness/protocol/planned.hpp"

#include "results/base/json_parts.hpp"
#include "results/base/value_json.hpp"

namespace uotbench {

std::vector<PlannedPoint> planned_from(const Json& json) {
  const Json& list = json.at("points");
  std::vector<PlannedPoint> points;
  points.reserve(list.size());
  for (const auto& one : list) {
    PlannedPoint& point = points.emplace_back();
    point.refused = optional_from<std::string>(one, "refused");
    point.memory = one.value("memory", point.memory);
    point.steps = one.value("steps", point.steps);
    point.judged_after = one.value("judged_after", point.judged_after);
    point.files = one.value("files", point.files);
    if (const auto derived = one.find("derived"); derived != one.end())
      for (const auto& [axis, value] : derived->items()) point.derived.emplace_back(axis, value_from(value));
  }
  return points;
}

}  // namespace uotbench
