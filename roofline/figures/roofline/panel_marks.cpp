#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/record/axes/case_parts.hpp"
#include "roofline/figures/lines.hpp"
#include "roofline/figures/roofline/panels.hpp"
#include "roofline/figures/roofline/plot.hpp"

namespace uotbench {
namespace {

std::string origin_of(const Roof& roof) {
  std::string text = roof.worker ? fmt::format("ceiling/{}, {}", roof.kernel, *roof.worker) : "specified";
  if (roof.noise) text += fmt::format(", spread {:.1f}%", 100 * *roof.noise);
  return text;
}

/// Of the points' levels the commonest one; without points the outermost.
std::string main_level(const std::vector<RoofPoint>& points, const std::vector<std::string>& levels) {
  std::map<std::string, int> counts;
  for (const auto& point : points) ++counts[point.level];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  return most != counts.end() ? most->first : levels.empty() ? "" : levels.back();
}

void label_slopes(std::vector<SlopedRoof>& slopes) {
  constexpr double hardly_apart = 1.08;  // half the thickness of a text in most figures
  SlopedRoof* first = nullptr;
  for (auto& slope : slopes) {
    if (first && !slope.mix && !first->mix && first->bandwidth < hardly_apart * slope.bandwidth &&
        slope.bandwidth < hardly_apart * first->bandwidth) {
      constexpr std::size_t unit = std::string_view(" GB/s").size();
      first->label.resize(first->label.size() - unit);  // said once
      first->label += ", " + slope.name;
    } else {
      first = &slope;
      slope.label = slope.name;
    }
  }
}

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

void add_roofs(RoofPanel& panel, const Roofs& roofs, const FigureSpec& spec) {
  auto levels = roofs.levels();
  const auto from_of = [&](const std::string& level) {
    const auto its = std::ranges::find_if(
        panel.points, [&](const RoofPoint& point) { return point.level == level && point.from.bytes; });
    const bool is_named = roofs.bandwidth(level) != nullptr;
    return is_named || its == panel.points.end() ? Footprint{level} : its->from;
  };
  if (spec.level) {
    if (std::ranges::find(levels, *spec.level) == levels.end())
      throw UsageError(fmt::format("{}: no bandwidth of the level {}; there are: {}", panel.machine,
                                   *spec.level,
                                   levels.empty() ? "none" : fmt::format("{}", fmt::join(levels, ", "))));
    levels = {*spec.level};
  }
  const std::string main = spec.level.value_or(main_level(panel.points, levels));
  // Between levels: a roof of its own.
  if (std::ranges::find(levels, main) == levels.end() && roofs.at(from_of(main))) levels.push_back(main);
  std::set<std::string> kernels;                         // that the points' traffic is like
  std::map<std::string, std::set<std::string>> colours;  // of points, by the kernel that is like most of it
  for (const auto& point : panel.points) {
    if (point.level != main) continue;
    const auto limits = roofs.limits(*point.shown.member->record->work, from_of(main));
    for (const auto& roof : limits) kernels.insert(roof.kernel);
    if (!limits.empty()) colours[limits.front().kernel].insert(point.shown.colour);
  }
  const auto colour_of = [&](const std::string& level, const std::string& kernel) {
    const auto its = colours.find(kernel);
    const bool is_ones =
        level == main && colours.size() > 1 && its != colours.end() && its->second.size() == 1;
    return is_ones ? *its->second.begin() : "";
  };
  for (const auto& level : levels) {
    const Roof best = roofs.bandwidth(level) ? *roofs.bandwidth(level) : *roofs.at(from_of(level));
    std::vector<Roof> mixes;
    if (level == main && !panel.specified)
      for (const auto& kernel : kernels)
        if (const auto roof = roofs.at(from_of(level), kernel); roof && roof->kernel != best.kernel)
          mixes.push_back(*roof);
    panel.slopes.push_back({.name = fmt::format("{}{} {}", level, mixes.empty() ? "" : " " + best.kernel,
                                                bandwidth_text(best.value)),
                            .level = level,
                            .bandwidth = best.value,
                            .label = {},
                            .mix = false,
                            .origin = origin_of(best),
                            .colour = colour_of(level, best.kernel)});
    std::ranges::sort(mixes, std::greater{}, &Roof::value);
    for (const Roof& roof : mixes)
      panel.slopes.push_back({.name = fmt::format("{} {} {}", level, roof.kernel, bandwidth_text(roof.value)),
                              .level = level,
                              .bandwidth = roof.value,
                              .label = {},
                              .mix = true,
                              .origin = origin_of(roof),
                              .colour = colour_of(level, roof.kernel)});
  }
  label_slopes(panel.slopes);
  const Roof* const vector = roofs.peak();
  const Roof* const scalar = roofs.peak("scalar");
  if (vector)
    panel.flats.push_back(
        {.name = fmt::format("{} {}", panel.specified ? "peak" : "vector FMA", flop_rate_text(vector->value)),
         .flops = vector->value,
         .main = true,
         .origin = origin_of(*vector)});
  if (scalar && scalar != vector)
    panel.flats.push_back({.name = fmt::format("scalar FMA {}", flop_rate_text(scalar->value)),
                           .flops = scalar->value,
                           .main = !vector,
                           .origin = origin_of(*scalar)});
}

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
