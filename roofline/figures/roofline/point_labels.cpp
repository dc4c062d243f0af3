#include "roofline/figures/roofline/point_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "results/base/value_json.hpp"
#include "results/record/axes/case_parts.hpp"
#include "roofline/figures/lines.hpp"

namespace uotbench {
namespace {

constexpr std::size_t most_labels = 16;

AxisRoles roles_of(const RoofPoint& point) { return AxisRoles(point.shown.view->run->header); }

/// "4096²", "4096×1024", "4096"; then the other axes.
std::string text_of(const RoofPoint& point, const std::set<std::string>& axes) {
  const Record& record = *point.shown.member->record;
  const AxisRoles roles = roles_of(point);
  const auto sizes = roles.sizes(record);
  std::string text;
  if (!sizes.empty() && axes.contains(sizes.front())) text += " " + sizes_text(record, sizes);
  for (const auto& axis : record.point.names()) {
    if (!axes.contains(axis) || std::ranges::find(sizes, axis) != sizes.end()) continue;
    if (record.point.value(axis).text())
      text += " " + record.point.text(axis);
    else if (roles.is_setting(family_of(record), axis))
      text += " " + axis_text(axis, *record.point.find(axis), true);
    else
      text += " " + axis + "=" + record.point.text(axis);
  }
  return text;
}

/// " 72%", of the roof of its own kind of traffic.
std::string share_text(const RoofPoint& point) {
  return point.fraction ? fmt::format(" {:.0f}%", 100 * *point.fraction) : "";
}

/// Axes in which a variant's points differ; of the sizes all or none.
std::set<std::string> differing(const std::vector<RoofPoint*>& points) {
  std::map<std::string, std::set<std::string>> values;
  std::set<std::string> axes, sizes;
  for (const auto* point : points) {
    const Record& record = *point->shown.member->record;
    for (const auto& axis : roles_of(*point).sizes(record)) sizes.insert(axis);
    for (const auto& axis : record.point.names()) values[axis].insert(record.point.text(axis));
  }
  for (const auto& [axis, its] : values)
    if (its.size() > 1) axes.insert(axis);
  if (std::ranges::any_of(sizes, [&](const auto& axis) { return axes.contains(axis); }))
    axes.insert(sizes.begin(), sizes.end());
  return axes;
}

}  // namespace

void add_point_labels(std::vector<RoofPoint>& points) {
  std::map<std::size_t, std::vector<RoofPoint*>> series;
  for (auto& point : points) series[point.shown.series].push_back(&point);
  const bool all = points.size() <= most_labels;
  for (auto& [index, members] : series) {
    if (!all) {
      auto* best = *std::ranges::max_element(members, {}, &RoofPoint::performance);
      best->label = best->shown.label + share_text(*best);
      continue;
    }
    const auto axes = differing(members);
    std::set<std::string> workers;
    for (const auto* point : members) workers.insert(point->shown.member->record->worker);
    for (auto* point : members) {
      const Record& record = *point->shown.member->record;
      point->label = point->shown.label + text_of(*point, axes);
      if (workers.size() > 1) point->label += " @" + record.worker;
      point->label += share_text(*point);
    }
  }
}

}  // namespace uotbench
