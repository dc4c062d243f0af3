#include "results/record/settings_json.hpp"

#include "results/base/json.hpp"

namespace uotbench {
namespace {

std::string text_at(const Json& point, const char* axis, const std::string& otherwise) {
  const auto found = point.find(axis);
  return found != point.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

}  // namespace

Settings settings_of(const Json& point) {
  Settings settings;
  if (const auto threads = point.find(setting_axis::threads); threads != point.end() && threads->is_number())
    settings.threads = threads->get<std::int64_t>();
  settings.place = text_at(point, setting_axis::place, settings.place);
  settings.cold = text_at(point, setting_axis::cache, "") == "cold";
  settings.order = text_at(point, setting_axis::order, settings.order);
  return settings;
}

}  // namespace uotbench
