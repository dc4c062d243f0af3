#include "results/record/axes/settings.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "results/base/json.hpp"
#include "results/record/axes/case_parts.hpp"

namespace uotbench {
namespace {

void read(const Json& value, std::int64_t& count) {
  count = whole_number<std::int64_t>(value).value_or(count);
}

void read(const Json& value, std::string& text) {
  if (value.is_string()) text = value.text();
}

}  // namespace

Settings settings_of(const Json& point) {
  Settings settings;
  std::string cache, denormals;
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
    else if (axis == setting_axis::denormals)
      read(value, denormals);
  }
  settings.cold = cache == "cold";
  settings.flushes = denormals == "flush";
  return settings;
}

Settings settings_of(const ObjectDocument& point) { return settings_of(point.json()); }

const Json* default_setting(std::string_view axis) {
  static const Settings none;
  static const std::array<std::pair<std::string_view, Json>, 6> defaults{
      {{setting_axis::threads, none.threads},
       {setting_axis::ranks, none.ranks},
       {setting_axis::place, none.place},
       {setting_axis::cache, "warm"},
       {setting_axis::order, none.order},
       {setting_axis::denormals, "keep"}}};
  const auto found = std::ranges::find(defaults, axis, &std::pair<std::string_view, Json>::first);
  return found == defaults.end() ? nullptr : &found->second;
}

bool is_default_setting(std::string_view axis, const Json& value) {
  const Json* const standard = default_setting(axis);
  return standard && value == *standard;
}

Json matched_point(const Json& point, bool by_cpus) {
  if (!point.contains(setting_axis::ranks)) return nullptr;
  const Settings settings = settings_of(point);
  Json matched = point;
  if (by_cpus) matched[setting_axis::threads] = settings.cpus();
  if (by_cpus || settings.ranks == 1) matched.erase(setting_axis::ranks);
  return matched;
}

// What an axis is for.

namespace {

constexpr std::array<const char*, 4> role_names{"size", "problem", "setting", "tunable"};

}  // namespace

const char* name_of(Role role) { return role_names[static_cast<std::size_t>(role)]; }

std::optional<Role> role_named(std::string_view name) {
  const auto found = std::ranges::find(role_names, name);
  if (found == role_names.end()) return std::nullopt;
  return static_cast<Role>(found - role_names.begin());
}

}  // namespace uotbench
