// Speedups over threads or ranks, as Fig. 10 and 16 of the MAP-UOT paper: a panel a problem, a line a
// variant.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/error.hpp"
#include "results/record/settings.hpp"
#include "roofline/figures/charts/chart.hpp"
#include "roofline/figures/kinds.hpp"
#include "roofline/figures/lines.hpp"
#include "roofline/figures/ratio.hpp"

namespace uotbench {
namespace {

constexpr std::size_t most_scaling_panels = 12;

/// Of the settings that are numbers the first that varies: threads, or ranks.
std::string axis_for(const FigureSpec& spec, const CaseAxes& axes, const std::vector<const RunView*>& views) {
  if (const std::string varying = axes.varying_number_setting(); spec.x.empty() && !varying.empty())
    return varying;
  const auto settings = axes.number_settings();
  const std::string asked = !spec.x.empty()    ? spec.x
                            : settings.empty() ? setting_axis::threads
                                               : settings.front();
  if (axes.numbers(asked).size() > 1) return asked;
  std::string found;
  for (const double value : axes.numbers(asked)) found = fmt::format(" {} alone", plain_number(value));
  throw UsageError(fmt::format("scaling needs several values of {}; {} has{}", asked, files_of(views),
                               found.empty() ? " no such axis with numbers" : found));
}

/// What every case is held against: itself with the fewest threads, or the reference that was asked for, with
/// its fewest where no number is given.
Json over_for(const FigureSpec& spec, const std::string& axis, const std::vector<const RunView*>& views) {
  Json over = spec.over.is_null() ? Json::object() : spec.over;
  if (over.contains(axis)) return over;
  const std::string variant = over.value("variant", "");
  Json least;
  for (const auto* view : views)
    for (const auto& record : view->run->records) {
      if (record.status != Status::ok || (!variant.empty() && record.variant != variant)) continue;
      const Json value = record.point.value(axis, Json());
      if (value.is_number() && (least.is_null() || value < least)) least = value;
    }
  if (!least.is_null()) over[axis] = least;
  return over;
}

}  // namespace

Drawing scaling_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                       const std::vector<Ceilings>&) {
  const auto shown = selected(spec, views);
  const CaseAxes axes(shown);
  const std::string axis = axis_for(spec, axes, views);
  const Json over = over_for(spec, axis, views);
  const Bases bases(views, over);
  const auto lines = axes.lines(spec, {axis});
  const auto problems = grouped(pointers(shown), [&](const Shown& one) { return axes.problem(one); });
  if (problems.size() > most_scaling_panels)
    throw UsageError(
        fmt::format("scaling draws a plot for each problem, at most {}; {} has {}: a filter would choose",
                    most_scaling_panels, files_of(views), problems.size()));
  Chart chart;
  for (const auto& line : lines)
    chart.series.push_back({.label = line.label, .note = {}, .colour = line.colour, .look = line.look});
  DataTable data = speedup_table();
  std::vector<SpeedupMark> all;
  double low = 1, high = 1;
  for (const auto& [problem, ignored] : problems) {
    Panel panel{.title = problems.size() > 1 ? problem : "", .x = {}, .y = {}, .marks = {}};
    for (const auto& line : lines) {
      auto& marks = panel.marks.emplace_back();
      for (const auto& mark : speedups_of(line.cases, bases)) {
        const auto x = number_at(*mark.shown, axis);
        if (!x || axes.problem(*mark.shown) != problem) continue;
        all.push_back(mark);
        data.rows.push_back(row_of(mark));
        std::optional<Interval> range;
        if (const auto& interval = mark.ratio.interval) range = Interval{interval->low, interval->high};
        marks.push_back({.x = *x, .y = mark.ratio.value, .range = range, .tip = tip_of(mark)});
        low = std::min(low, mark.ratio.value);
        high = std::max(high, mark.ratio.value);
      }
      std::ranges::stable_sort(marks, {}, &Mark::x);
    }
    if (std::ranges::any_of(panel.marks, [](const auto& marks) { return !marks.empty(); }))
      chart.panels.push_back(std::move(panel));
  }
  if (all.empty())
    throw UsageError(fmt::format("scaling: {}: no case has its reference, {}, in the run", files_of(views),
                                 Reference(over).text()));

  const auto numbers = axes.numbers(axis);
  const double first =
      over.contains(axis) && over[axis].is_number() ? over[axis].get<double>() : numbers.front();
  const double ideal = numbers.back() / first;
  for (auto& panel : chart.panels) {
    panel.x = log2_axis(axis, numbers.front(), numbers.back());
    panel.y = log2_axis("speedup over " + base_text(spec, all, over),
                        std::min(low, numbers.front() / first) / 1.1, 1.1 * std::max(high, ideal));
    panel.ideal = {{numbers.front(), numbers.front() / first}, {numbers.back(), ideal}};
  }
  Drawing drawing = drawing_of(chart, spec);
  drawing.data = std::move(data);
  return drawing;
}

}  // namespace uotbench
