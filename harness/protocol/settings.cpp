#include "harness/protocol/settings.hpp"

namespace uotbench {

Settings settings_of(const Point& point) {
  Settings settings;
  if (point.has(setting_axis::ranks)) settings.ranks = point.integer(setting_axis::ranks);
  if (point.has(setting_axis::threads)) settings.threads = point.integer(setting_axis::threads);
  if (point.has(setting_axis::place)) settings.place = point.text(setting_axis::place);
  if (point.has(setting_axis::cache)) settings.cold = point.text(setting_axis::cache) == "cold";
  if (point.has(setting_axis::order)) settings.order = point.text(setting_axis::order);
  if (point.has(setting_axis::denormals))
    settings.flushes = point.text(setting_axis::denormals) == "flush";
  return settings;
}

}  // namespace uotbench
