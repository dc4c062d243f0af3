#include "roofline/figures/roofline/point_labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "results/record/case_parts.hpp"

namespace uotbench {
namespace {

constexpr std::size_t most_labels = 16;

bool is_size(const std::string& axis) {
  return std::ranges::all_of(axis, [](unsigned char c) { return std::isupper(c); });
}

std::string setting_text(const std::string& axis, const Json& value) {
  if (axis == "threads") return value_text(value) + (value == 1 ? " thread" : " threads");
  return value.is_string() ? value_text(value) : axis + "=" + value_text(value);
}

/// "4096²", "4096x1024", "N=4096"; then the other axes.
std::string text_of(const Record& record, const std::set<std::string>& axes) {
  std::vector<std::string> sizes, others;
  for (const auto& [axis, value] : record.point.items()) {
    if (!axes.contains(axis)) continue;
    if (is_size(axis))
      sizes.push_back(value_text(value));
    else
      others.push_back(setting_text(axis, value));
  }
  std::string text;
  if (sizes.size() == 1) text += fmt::format(" {}", sizes[0]);
  if (sizes.size() == 2 && sizes[0] == sizes[1])
    text += fmt::format(" {}\u00b2", sizes[0]);
  else if (sizes.size() > 1)
    text += fmt::format(" {}", fmt::join(sizes, "\u00d7"));
  for (const auto& other : others) text += " " + other;
  return text;
}

/// Axes in which a variant's points differ; of a matrix's sizes all or none.
std::set<std::string> differing(const std::vector<RoofPoint*>& points) {
  std::map<std::string, std::set<std::string>> values;
  for (const auto* point : points)
    for (const auto& [axis, value] : point->shown.member->record->point.items())
      values[axis].insert(value_text(value));
  std::set<std::string> axes;
  const bool sizes = std::ranges::any_of(
      values, [](const auto& entry) { return is_size(entry.first) && entry.second.size() > 1; });
  for (const auto& [axis, its] : values)
    if (its.size() > 1 || (sizes && is_size(axis))) axes.insert(axis);
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
      best->label = best->shown.label;
      continue;
    }
    const auto axes = differing(members);
    std::set<std::string> workers;
    for (const auto* point : members) workers.insert(point->shown.member->record->worker);
    for (auto* point : members) {
      const Record& record = *point->shown.member->record;
      point->label = point->shown.label + text_of(record, axes);
      if (workers.size() > 1) point->label += " @" + record.worker;
    }
  }
}

}  // namespace uotbench
