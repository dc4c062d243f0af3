// Speedups over threads or ranks, as Fig. 10 and 16 of the MAP-UOT paper: a panel a problem, a line a
// variant; of machines that are specified, a panel of what a model makes of them besides. Or efficiencies
// (results/view/case_speedups.hpp), of problems that grow with the CPUs, too.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/settings.hpp"
#include "roofline/figures/charts/line_chart.hpp"
#include "roofline/figures/charts/scaling_model.hpp"
#include "roofline/figures/charts/speedups.hpp"
#include "roofline/figures/drawn_times.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {
namespace {

/// Of the settings that are numbers the first that varies: threads, or ranks.
std::string axis_for(const FigureSpec& spec, const CaseAxes& axes, const std::vector<const RunView*>& views) {
  if (const std::string varying = axes.varying_number_setting(); spec.x.empty() && !varying.empty())
    return varying;
  const auto settings = axes.number_settings();
  const std::string asked = !spec.x.empty()    ? spec.x
                            : settings.empty() ? setting_axis::threads
                                               : settings.front();
  require_several_numbers(spec, views, axes, asked);
  return asked;
}

/// What every case is held against: itself with the fewest threads, or the reference that was asked for, with
/// its fewest where no number is given.
ObjectDocument over_for(const FigureSpec& spec, const std::string& axis,
                        const std::vector<const RunView*>& views) {
  ObjectDocument over(spec.over);
  if (over.contains(axis)) return over;
  const std::string variant = over.text("variant");
  Value least;
  for (const auto* view : views)
    for (const auto& record : view->run->records) {
      if (record.status != Status::ok || (!variant.empty() && record.variant != variant)) continue;
      const Value value = record.point.value(axis);
      if (value.is_number() && (least.is_none() || value < least)) least = value;
    }
  if (!least.is_none()) over.set(axis, least);
  return over;
}

bool shows_efficiency(const FigureSpec& spec) {
  if (spec.value.empty() || spec.value == "speedup") return false;
  if (spec.value == "efficiency") return true;
  throw UsageError(fmt::format("scaling: value: expected speedup or efficiency, got \"{}\"", spec.value));
}

/// Where each problem was timed with one number of CPUs, problems grow with them: they share a plot.
bool grow(const CaseAxes& axes, const std::vector<Shown>& shown, const std::string& axis) {
  std::map<std::string, std::set<double>> numbers;
  for (const auto& one : shown)
    if (const auto x = number_at(one, axis)) numbers[axes.problem(one)].insert(*x);
  return std::ranges::all_of(numbers, [](const auto& problem) { return problem.second.size() == 1; });
}

Drawing efficiency_drawing(const FigureSpec& spec, const std::vector<const RunView*>& views,
                           const std::vector<Shown>& shown, const CaseAxes& axes, const std::string& axis) {
  const bool together = grow(axes, shown, axis);
  const auto plots =
      plots_of(spec, views, shown, [&](const Shown& one) { return together ? "" : axes.problem(one); });
  LineChart chart(axes.lines(spec, {axis}), {"id", axis, "seconds", "efficiency", "source"});
  std::vector<std::pair<std::string, std::string>> left_out;
  for (const auto& [problem, cases] : plots)
    chart.add_panel(plots.size() > 1 ? problem : "", cases, [&](const Shown& one) -> std::optional<Mark> {
      const auto x = number_at(one, axis);
      const auto& efficiency = one.member->efficiency;
      const Record& record = *one.member->record;
      if (!x || !efficiency) {
        left_out.emplace_back(record.id, fmt::format("one number of {} in what it is held against", axis));
        return std::nullopt;
      }
      const double seconds = one.member->time->median;
      return Mark{
          .x = *x,
          .y = *efficiency,
          .range = {},
          .tip = fmt::format("{}\n{:.0f}% efficient, {}\nmeasured: {}\nfrom {}", record.id, 100 * *efficiency,
                             format_seconds(seconds), sureness_of(record), source_of(one)),
          .row = {record.id, exact(*x), exact(seconds), exact(*efficiency), source_of(one)}};
    });
  if (chart.panels.empty())
    throw UsageError(
        fmt::format("scaling: {}: no case has an efficiency: none was timed with another number of {}",
                    files_of(views), axis));
  const auto numbers = axes.numbers(axis);
  for (auto& panel : chart.panels) {
    panel.x = log2_axis(axis, numbers.front(), numbers.back());
    panel.y = axis_from_zero("% efficiency", chart.height(1), 0.01);
    panel.level = 1;
  }
  Drawing drawing = drawing_of(chart, spec);
  drawing.left_out = std::move(left_out);
  return drawing;
}

}  // namespace

Drawing scaling_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                       const std::vector<Ceilings>& machines) {
  const auto shown = selected(spec, views);
  const CaseAxes axes(shown);
  const std::string axis = axis_for(spec, axes, views);
  if (shows_efficiency(spec)) return efficiency_drawing(spec, views, shown, axes, axis);
  const ObjectDocument over = over_for(spec, axis, views);
  const Bases bases(views, over.document());
  const auto problems = plots_of(spec, views, shown, [&](const Shown& one) { return axes.problem(one); });
  LineChart chart(axes.lines(spec, {axis}), speedup_columns());
  std::vector<Speedup> all;
  std::vector<std::pair<std::string, std::string>> left_out;
  for (const auto& [problem, cases] : problems)
    chart.add_panel(problems.size() > 1 ? problem : "", cases, [&](const Shown& one) -> std::optional<Mark> {
      const auto x = number_at(one, axis);
      const auto speedup = speedup_of(one, bases);
      if (!x || !speedup) {
        left_out.emplace_back(one.member->record->id, x ? "no reference in the run" : "no " + axis);
        return std::nullopt;
      }
      all.push_back(*speedup);
      return mark_of(*speedup, *x);
    });
  chart.drop_single_points(fmt::format("one number of {} in their problem", axis), left_out);
  if (chart.panels.empty())
    throw UsageError(fmt::format("scaling: {}: no case has its reference, {}, in the run", files_of(views),
                                 Reference(over.json()).text()));

  const auto numbers = axes.numbers(axis);
  const double first = over.number(axis).value_or(numbers.front());
  const double ideal = numbers.back() / first;
  chart.intervals = intervals_text(all);
  const auto [low, high] = chart.span_of_intervals();
  for (auto& panel : chart.panels) {
    panel.x = log2_axis(axis, numbers.front(), numbers.back());
    panel.y =
        log2_axis("speedup over " + base_text(spec, all, over.document()),
                  std::min({low, 1., numbers.front() / first}) / 1.1, 1.1 * std::max({high, 1., ideal}));
    panel.guides = {{"ideal", {{numbers.front(), numbers.front() / first}, {numbers.back(), ideal}}}};
  }
  std::vector<std::string> notes;
  if (!machines.empty() && axis == setting_axis::threads)
    add_modelled(chart, spec, problems, over.text("variant"), selected(spec, views, Need::nothing), machines,
                 notes);
  Drawing drawing = drawing_of(chart, spec);
  explain_intervals(drawing, all);
  drawing.left_out = std::move(left_out);
  drawing.notes.insert(drawing.notes.end(), notes.begin(), notes.end());
  return drawing;
}

}  // namespace uotbench
