// Speedups over problem sizes, as Fig. 9 and 13 of the MAP-UOT paper: bars for a few sizes, lines for many.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "results/base/error.hpp"
#include "roofline/figures/charts/line_chart.hpp"
#include "roofline/figures/charts/speedups.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {
namespace {

/// Where the problems stand along x: by name, or by the one number that they differ in.
struct Places {
  std::vector<std::string> names;
  std::map<std::string, double> places = {};  ///< of the names
  std::string axis;                           ///< of sizes that are all equal the first; empty: by name
  std::string title;                          ///< "M", "M = N"

  double at(const CaseAxes& axes, const Shown& shown) const {
    if (!axis.empty()) return *number_at(shown, axis);
    return places.at(axes.problem(shown));
  }
};

Places places_of(const CaseAxes& axes, const std::vector<const Shown*>& cases) {
  Places places;
  for (const auto& [name, group] : grouped(cases, [&](const Shown& shown) { return axes.problem(shown); }))
    places.places.emplace(name, places.names.size()), places.names.push_back(name);
  std::vector<std::string> varying;
  const auto sizes = axes.sizes(*cases.front());
  bool squares = sizes.size() > 1;
  for (const auto* shown : cases) {
    const ObjectDocument &point = shown->member->record->point, &first = cases.front()->member->record->point;
    squares = squares && axes.sizes(*shown) == sizes && std::ranges::all_of(sizes, [&](const auto& size) {
                return point.value(size) == point.value(sizes.front());
              });
    for (const auto& axis : point.names())
      if (axes.is_problem(*shown, axis) && first.value(axis) != point.value(axis) &&
          std::ranges::find(varying, axis) == varying.end())
        varying.push_back(axis);
  }
  if (squares)
    std::erase_if(varying, [&](const std::string& axis) {
      return axis != sizes.front() && std::ranges::find(sizes, axis) != sizes.end();
    });
  const bool numbers = varying.size() == 1 && std::ranges::all_of(cases, [&](const Shown* shown) {
                         return number_at(*shown, varying[0]).has_value();
                       });
  if (!numbers) return places;
  places.axis = varying[0];
  places.title =
      squares && varying[0] == sizes.front() ? fmt::format("{}", fmt::join(sizes, " = ")) : varying[0];
  return places;
}

ChartAxis axis_for(const Places& places, const Interval& span, double width) {
  if (places.axis.empty()) {
    ChartAxis axis = axis_of_names("", places.names);
    // Upright labels need 3 mm each.
    const auto step =
        static_cast<std::size_t>(std::ceil(0.32 * static_cast<double>(places.names.size()) / (width - 1.5)));
    std::vector<Tick> kept;
    for (std::size_t i = 0; i < axis.ticks.size(); i += step) kept.push_back(axis.ticks[i]);
    axis.ticks = kept;
    return axis;
  }
  const auto [low, high] = span;
  if (low > 0 && high / low >= 8) return log2_axis(places.title, low, high);
  const double room = 0.03 * (high - low);
  return {.title = places.title,
          .low = low - room,
          .high = high + room,
          .log = false,
          .ticks = round_ticks(low, high, 6)};
}

/// "geo. mean 1.9×, max 2.9×", as the MAP-UOT paper sums up (section 5.2.1); the mean of ratios is geometric.
std::string summary_of(const std::vector<Mark>& marks) {
  if (marks.size() == 1) return fmt::format("{:#.3g}×", marks.front().y);
  double logs = 0, most = 0;
  for (const auto& mark : marks) logs += std::log(mark.y), most = std::max(most, mark.y);
  return fmt::format("geo. mean {:#.3g}×, max {:#.3g}×", std::exp(logs / static_cast<double>(marks.size())),
                     most);
}

}  // namespace

Drawing speedup_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                       const std::vector<Ceilings>&) {
  const auto shown = selected(spec, views);
  const CaseAxes axes(shown);
  const Bases bases(views, spec.over);
  std::map<const Shown*, Speedup> speedups;
  std::vector<Speedup> all;
  std::vector<std::pair<std::string, std::string>> left_out;
  for (const auto& one : shown) {
    const auto speedup = speedup_of(one, bases);
    if (!speedup) left_out.emplace_back(one.member->record->id, "no reference in the run");
    if (!speedup || speedup->base == one.member) continue;  // the reference is the line at 1
    speedups.emplace(&one, *speedup);
    all.push_back(*speedup);
  }
  auto lines = axes.lines(spec);
  for (auto& line : lines)
    std::erase_if(line.cases, [&](const Shown* one) { return !speedups.contains(one); });
  std::erase_if(lines, [](const Line& line) { return line.cases.empty(); });
  if (lines.empty())
    throw UsageError(fmt::format(
        "speedup: {}: no case other than its reference{}; --over VARIANT chooses another", files_of(views),
        spec.over.is_null() ? "" : fmt::format(" {}", Reference(spec.over.json()).text())));

  std::vector<const Shown*> cases;
  for (const auto& line : lines) cases.insert(cases.end(), line.cases.begin(), line.cases.end());
  const Places places = places_of(axes, cases);
  const auto bars = static_cast<double>(places.names.size() * lines.size());
  LineChart chart(lines, speedup_columns());
  chart.bars = bars <= 4 * spec.width && places.names.size() <= 10;
  // Bars of one variant differ in shade: a pattern for each would hide that.
  if (chart.bars && std::ranges::any_of(lines, [&](const Line& line) {
        return line.cases.front()->series != lines.front().cases.front()->series;
      }))
    for (std::size_t i = 0; i < lines.size(); ++i) chart.series[i].look = lines[i].cases.front()->series;
  Places standing = places;
  if (chart.bars) standing.axis.clear();
  chart.add_panel("", cases,
                  [&](const Shown& one) { return mark_of(speedups.at(&one), standing.at(axes, one)); });
  Panel& panel = chart.panels.front();
  for (std::size_t i = 0; i < lines.size(); ++i) chart.series[i].note = summary_of(panel.marks[i]);
  panel.x = axis_for(standing, chart.span(&Mark::x), spec.width);
  panel.y = axis_from_zero("speedup over " + base_text(spec, all, spec.over), chart.height(1));
  panel.level = 1;
  chart.intervals = intervals_text(all);
  Drawing drawing = drawing_of(chart, spec);
  explain_intervals(drawing, all);
  drawing.left_out = std::move(left_out);
  return drawing;
}

}  // namespace uotbench
