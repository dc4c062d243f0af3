// Where the time of a case goes: the parts that its kernel tells, stacked, a panel for each problem.
#include <fmt/format.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "roofline/figures/charts/chart.hpp"
#include "roofline/figures/drawn_times.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {
namespace {

constexpr const char* rest = "other";  ///< what none of a kernel's phases covers

/// The phases of all cases, in the kernels' order, the rest last.
std::vector<std::string> phases_of(const std::vector<Shown>& shown) {
  std::vector<std::string> names;
  for (const auto& one : shown)
    for (const auto& phase : one.member->phases)
      if (phase.name != rest && std::ranges::find(names, phase.name) == names.end())
        names.push_back(phase.name);
  names.push_back(rest);
  return names;
}

Mark part_of_bar(const Shown& one, const PhaseShare& phase, double x, double from, bool shares,
                 const DrawnTime& drawn) {
  const Record& record = *one.member->record;
  const double seconds = phase.seconds * drawn.scale;
  const double height = shares ? phase.share : seconds;
  return {.x = x,
          .y = from + height,
          .from = from,
          .range = {},
          .tip = fmt::format("{}\n{}: {}, {:.1f}% of {}, {:.4g} times a {}\nmeasured: {}\nfrom {}", record.id,
                             phase.name, format_seconds(seconds), 100 * phase.share,
                             format_seconds(drawn.seconds), phase.entered * drawn.scale, name_of(drawn.per),
                             sureness_of(record), source_of(one)),
          .row = {record.id, phase.name, exact(seconds), name_of(drawn.per), exact(phase.share),
                  exact(phase.entered * drawn.scale), source_of(one)}};
}

/// Panels whose longest bars differ by less have one scale: their bars can be compared.
constexpr double comparable = 20;

ChartAxis seconds_axis(double high, const std::string& per) {
  constexpr std::pair<double, const char*> units[]{{1, "seconds"}, {1e-3, "ms"}, {1e-6, "µs"}};
  const auto unit = std::ranges::find_if(units, [&](const auto& each) { return high >= each.first; });
  const auto& [scale, title] = unit == std::end(units) ? units[2] : *unit;
  return axis_from_zero(per.empty() ? title : fmt::format("{} per {}", title, per), high, scale);
}

}  // namespace

Drawing phases_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                      const std::vector<Ceilings>&) {
  const bool shares = spec.value == "share";
  if (!shares && !spec.value.empty() && spec.value != "time")
    throw UsageError(fmt::format("phases: value: expected time or share, got \"{}\"", spec.value));
  auto shown = selected(spec, views);
  std::vector<std::pair<std::string, std::string>> left_out;
  std::erase_if(shown, [&](const Shown& one) {
    if (!one.member->phases.empty()) return false;
    left_out.emplace_back(one.member->record->id, "the kernel reports no phases");
    return true;
  });
  if (shown.empty())
    throw UsageError(fmt::format("phases: {}: no kernel of these cases reports phases", files_of(views)));
  const DrawnTimes times(shown, left_out);
  const CaseAxes axes(shown);
  const auto names = phases_of(shown);
  Chart chart;
  chart.bars = chart.stacked = true;
  chart.columns = {"id", "phase", "seconds", "per", "share", "entered", "run"};
  for (std::size_t i = 0; i < names.size(); ++i)
    chart.series.push_back({.label = names[i],
                            .colour = names[i] == rest ? rest_colour : look(i).colour,
                            .look = names[i] == rest ? 0 : i});
  const auto problems = plots_of(spec, views, shown, [&](const Shown& one) { return axes.problem(one); });
  std::vector<double> heights;
  for (const auto& [problem, cases] : problems) {
    Panel panel;
    if (problems.size() > 1) panel.title = problem;
    panel.marks.resize(names.size());
    std::vector<std::string> labels;
    double high = 0;
    for (const auto* one : cases) {
      const auto x = static_cast<double>(labels.size());
      const std::string own = axes.own_text(*one, {});
      labels.push_back(own.empty() ? one->label : one->label + ", " + own);
      double from = 0;
      for (const auto& phase : one->member->phases) {
        const auto series = static_cast<std::size_t>(std::ranges::find(names, phase.name) - names.begin());
        panel.marks[series].push_back(part_of_bar(*one, phase, x, from, shares, times.of(*one->member)));
        from = panel.marks[series].back().y;
      }
      high = std::max(high, from);
    }
    panel.x = axis_of_names("", labels);
    heights.push_back(high);
    chart.panels.push_back(std::move(panel));
  }
  const auto [least, most] = std::ranges::minmax(heights);
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double high = most < comparable * least ? most : heights[i];
    chart.panels[i].y = shares ? axis_from_zero("% of the time", 1, 0.01)
                               : seconds_axis(high, times.are_mixed() ? name_of(times.per()) : "");
  }
  Drawing drawing = drawing_of(std::move(chart), spec);
  drawing.left_out = std::move(left_out);
  return drawing;
}

}  // namespace uotbench
