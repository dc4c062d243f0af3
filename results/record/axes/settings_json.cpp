#include "results/record/axes/settings_json.hpp"

#include <string_view>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

void read(const Json& value, std::int64_t& count) {
  if (value.is_number()) count = value.get<std::int64_t>();
}

void read(const Json& value, std::string& text) {
  if (value.is_string()) text = value.get_ref<const std::string&>();
}

}  // namespace

Settings settings_of(const Json& point) {
  Settings settings;
  std::string cache;
  // Once through the axes, and lengths first: a plan asks this of each of its cases, several times.
  for (const auto& [name, value] : point.items()) {
    const std::string_view axis = name;
    if (axis == setting_axis::ranks)
      read(value, settings.ranks);
    else if (axis == setting_axis::threads)
      read(value, settings.threads);
    else if (axis == setting_axis::place)
      read(value, settings.place);
    else if (axis == setting_axis::cache)
      read(value, cache);
    else if (axis == setting_axis::order)
      read(value, settings.order);
  }
  settings.cold = cache == "cold";
  return settings;
}

Json matched_point(const Json& point, bool by_cpus) {
  if (!point.contains(setting_axis::ranks)) return nullptr;
  const Settings settings = settings_of(point);
  Json matched = point;
  if (by_cpus) matched[setting_axis::threads] = settings.cpus();
  if (by_cpus || settings.ranks == 1) matched.erase(setting_axis::ranks);
  return matched;
}

}  // namespace uotbench
