#include "harness/protocol/planned.hpp"

#include <fmt/format.h>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/value_json.hpp"

namespace uotbench {
namespace {

Facts derived_from(const Json& values, std::size_t point) {
  Facts derived;
  for (const auto& [axis, value] : values.items()) try {
      derived.emplace_back(axis, value_from(value));
    } catch (const Error& error) {
      throw Error(fmt::format("/points/{}/derived/{}: {}", point, axis, error.what()));
    }
  return derived;
}

}  // namespace

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
      point.derived = derived_from(*derived, points.size() - 1);
  }
  return points;
}

}  // namespace uotbench
