// What a solution takes over what makes it hard: seconds, until a target of the judge's too, iterations,
// final error, a phase's seconds or a fact over a number of the problem (the marginal relaxation, the
// regularisation, a size), a panel for each of the other problems.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/timing.hpp"
#include "roofline/figures/charts/chart.hpp"
#include "roofline/figures/drawn_times.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {
namespace {

/// What is drawn over the axis; absent where a record does not tell it.
struct SolveQuantity {
  std::string title;
  std::function<std::optional<double>(const Record& record, const CaseView& member)> of;
  bool is_time = false;
};

std::optional<double> phase_seconds(const CaseView& member, const std::string& name) {
  const auto phase = std::ranges::find(member.phases, name, &PhaseShare::name);
  return phase == member.phases.end() ? std::nullopt : std::optional(phase->seconds);
}

/// Of "gap:1e-4".
SolveQuantity time_to(const std::string& value) {
  const auto colon = value.find(':');
  const std::string name = value.substr(0, colon);
  const double target = colon == std::string::npos ? 0 : std::strtod(value.c_str() + colon + 1, nullptr);
  if (name.empty() || !(target > 0))
    throw UsageError(fmt::format(
        "solves: value: expected reach:NAME:TARGET, such as reach:gap:1e-4, got \"reach:{}\"", value));
  return {fmt::format("seconds to a {} of {:g}", name, target), [=](const Record& r, const CaseView&) {
            const Reach* const reach = reach_of(r.reach, name, target);
            return reach && reach->reason.empty() ? std::optional(seconds_of(*reach)) : std::nullopt;
          }};
}

SolveQuantity quantity_of(const FigureSpec& spec) {
  const std::string& value = spec.value;
  if (value.empty() || value == "time")
    return {"seconds to a solution",
            [](const Record& r, const CaseView& m) {
              return r.time->iterations && ends_by_a_test(m) ? std::optional(m.time->median) : std::nullopt;
            },
            true};
  if (value == "iterations")
    return {"iterations", [](const Record& r, const CaseView& m) {
              return r.time->iterations && ends_by_a_test(m)
                         ? std::optional(static_cast<double>(*r.time->iterations))
                         : std::nullopt;
            }};
  if (value == "error")
    return {"final error", [](const Record& r, const CaseView& m) {
              return r.time->iterations && r.check && ends_by_a_test(m) ? std::optional(r.check->error)
                                                                        : std::nullopt;
            }};
  if (value.starts_with("phase:")) {
    const std::string name = value.substr(6);
    return {"seconds of the phase " + name,
            [name](const Record&, const CaseView& m) { return phase_seconds(m, name); }};
  }
  if (value.starts_with("reach:")) return time_to(value.substr(6));
  if (value.starts_with("fact:")) {
    const std::string name = value.substr(5);
    std::string title = name;
    std::ranges::replace(title, '_', ' ');
    return {title, [name](const Record& r, const CaseView&) { return r.env.number(name); }};
  }
  throw UsageError(fmt::format(
      "solves: value: expected time, reach:NAME:TARGET, iterations, error, phase:NAME or fact:NAME, "
      "got \"{}\"",
      value));
}

/// The axis and those equal to it in all cases (M and N of square problems): what a figure is drawn over.
std::set<std::string> axes_across(const CaseAxes& axes, const std::vector<Shown>& shown,
                                  const std::string& axis) {
  std::set<std::string> across;
  for (const auto& one : shown)
    for (const auto& part : axes.problem_parts(one)) across.insert(axis_of(part));
  std::erase_if(across, [&](const std::string& name) {
    return std::ranges::any_of(shown, [&](const Shown& one) {
      const ObjectDocument& point = one.member->record->point;
      return point.value(name) != point.value(axis);
    });
  });
  across.insert(axis);
  return across;
}

/// The parts of the problem that the id names, but those across.
std::vector<std::string> problem_of(const CaseAxes& axes, const Shown& shown,
                                    const std::set<std::string>& across) {
  auto parts = axes.problem_parts(shown);
  std::erase_if(parts, [&](const std::string& part) { return across.contains(axis_of(part)); });
  return parts;
}

/// Of the axes that ids name and that are numbers, the one with the most values; the first of several.
std::string axis_for(const FigureSpec& spec, const CaseAxes& axes, const std::vector<Shown>& shown,
                     const std::vector<const RunView*>& views) {
  std::string best = spec.x;
  if (best.empty()) {
    std::set<std::string> seen;
    std::size_t most = 0;
    for (const auto& one : shown)
      for (const auto& part : axes.problem_parts(one)) {
        const std::string axis = axis_of(part);
        if (!seen.insert(axis).second) continue;
        const std::size_t values = axes.numbers(axis).size();
        if (best.empty() || values > most) best = axis, most = values;
      }
  }
  require_several_numbers(spec, views, axes, best);
  if (!(axes.numbers(best).front() > 0))
    throw UsageError(fmt::format("solves: {}: {} is 0 in a case, which a log axis has no place for",
                                 files_of(views), best));
  return best;
}

/// The axes in which panels differ; at its default an axis is in no id.
std::vector<std::string> differing_axes(const CaseAxes& cases_axes, const CaseGroups& panels,
                                        const std::set<std::string>& across) {
  std::map<std::string, std::size_t> uses;  // of a part
  std::vector<std::string> parts, axes;
  for (const auto& [key, cases] : panels)
    for (const auto& part : problem_of(cases_axes, *cases.front(), across))
      if (++uses[part] == 1) parts.push_back(part);
  for (const auto& part : parts)
    if (uses[part] < panels.size() && std::ranges::find(axes, axis_of(part)) == axes.end())
      axes.push_back(axis_of(part));
  return axes;
}

/// Their values: what tells a panel from the others.
std::string title_of(const Shown& shown, const std::vector<std::string>& axes) {
  std::vector<std::string> texts;
  for (const auto& axis : axes)
    if (const Json* const value = shown.member->record->point.find(axis))
      texts.push_back(axis_text(axis, *value, false));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// From 0, in thousands, millions or billions where there are so many.
ChartAxis axis_of_amounts(const std::string& title, double high) {
  for (const auto& [unit, name] : {std::pair{1e9, "billions"}, {1e6, "millions"}, {1e3, "thousands"}})
    if (high >= 10 * unit) return axis_from_zero(fmt::format("{}, {}", title, name), high, unit);
  return axis_from_zero(title, high);
}

Mark mark_of(const Shown& one, double x, const SolveQuantity& quantity) {
  const Record& record = *one.member->record;
  const double seconds = one.member->time->median;
  const std::string iterations = record.time->iterations ? fmt::format("{}", *record.time->iterations) : "";
  return {.x = x,
          .y = *quantity.of(record, *one.member),
          .range = quantity.is_time ? time_interval(record) : std::nullopt,
          .tip = fmt::format("{}\n{}{}{}\nmeasured: {}\nfrom {}", record.id, format_seconds(seconds),
                             iterations.empty() ? "" : fmt::format(" in {} iterations", iterations),
                             record.check ? fmt::format(", error {:.1e}", record.check->error) : "",
                             sureness_of(record), source_of(one)),
          .row = {record.id, exact(x), exact(seconds), iterations,
                  record.check ? exact(record.check->error) : "", source_of(one)}};
}

}  // namespace

Drawing solves_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                      const std::vector<Ceilings>&) {
  const SolveQuantity quantity = quantity_of(spec);
  auto shown = selected(spec, views);
  std::erase_if(shown, [&](const Shown& one) {
    const Record& record = *one.member->record;
    return !record.time || !(quantity.of(record, *one.member).value_or(0) > 0);
  });
  if (shown.empty() && spec.value.find(':') != std::string::npos)
    throw UsageError(fmt::format("solves: {}: no case reports {}", files_of(views), spec.value));
  if (shown.empty())
    throw UsageError(fmt::format(
        "solves: {}: no solve ran until a stopping test ended it; -a stop=change goes to solutions",
        files_of(views)));
  const CaseAxes axes(shown);
  const std::string axis = axis_for(spec, axes, shown, views);
  const auto across = axes_across(axes, shown, axis);
  const auto problems = plots_of(spec, views, shown, [&](const Shown& one) {
    return fmt::format("{}", fmt::join(problem_of(axes, one, across), " "));
  });
  const auto differing = differing_axes(axes, problems, across);
  LineChart chart(axes.lines(spec, {axis}), {"id", axis, "median_s", "iterations", "error", "run"});
  for (const auto& [problem, cases] : problems)
    chart.add_panel(title_of(*cases.front(), differing), cases, [&](const Shown& one) {
      const auto x = number_at(one, axis);
      return x ? std::optional(mark_of(one, *x, quantity)) : std::nullopt;
    });
  std::vector<std::pair<std::string, std::string>> left_out;
  if (!chart.drop_single_points(fmt::format("one value of {} in their plot", axis), left_out) &&
      chart.panels.size() > 1)
    throw UsageError(
        fmt::format("solves: {}: every plot has one value of {}; expected several", files_of(views), axis));
  if (quantity.is_time) chart.intervals = processes_text(shown);
  const auto numbers = axes.numbers(axis);
  const auto [low, high] = chart.span_of_intervals();
  for (auto& panel : chart.panels) {
    panel.x = log10_axis(axis, numbers.front(), numbers.back(), plain_number);
    // Between two powers of ten a log axis may have no tick.
    panel.y = high < 10 * low ? axis_of_amounts(quantity.title, high)
                              : log10_axis(quantity.title, low, high, plain_number);
  }
  Drawing drawing = drawing_of(chart, spec);
  drawing.left_out = std::move(left_out);
  return drawing;
}

}  // namespace uotbench
