#include "roofline/figures/roofline/panel_roofs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "results/base/error.hpp"
#include "roofline/figures/roofline/axes.hpp"

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

}  // namespace uotbench
