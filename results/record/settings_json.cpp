#include "results/record/settings_json.hpp"

#include "results/base/json.hpp"

namespace uotbench {
namespace {

std::string text_at(const Json& point, const char* axis, const std::string& otherwise) {
  const auto found = point.find(axis);
  return found != point.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

std::int64_t count_at(const Json& point, const char* axis, std::int64_t otherwise) {
  const auto found = point.find(axis);
  return found != point.end() && found->is_number() ? found->get<std::int64_t>() : otherwise;
}

}  // namespace

Settings settings_of(const Json& point) {
  Settings settings;
  settings.ranks = count_at(point, setting_axis::ranks, settings.ranks);
  settings.threads = count_at(point, setting_axis::threads, settings.threads);
  settings.place = text_at(point, setting_axis::place, settings.place);
  settings.cold = text_at(point, setting_axis::cache, "") == "cold";
  settings.order = text_at(point, setting_axis::order, settings.order);
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
