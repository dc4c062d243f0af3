// Where the time of a case goes by the ECM model: the core's work, and next to it loads, stores and transfers
// between levels, over the measured time; a panel for each line of cases, a pair of bars for each size.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/figures/charts/chart.hpp"
#include "roofline/figures/drawn_times.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {
namespace {

constexpr const char* measured_name = "measured";
constexpr double slot = 0.8;  ///< of a bar, on the axis

using Explained = std::map<const CaseView*, Explanation>;

InCore no_analysis(const Run&, const Record&) {
  return {.tool = {}, .reason = "no analyser of code was given"};
}

/// Those whose components are known and that were counted: without counts the parts are those of the
/// roofline, which has a figure of its own.
Explained explained_cases(const FigureSpec& spec, const std::vector<const RunView*>& views) {
  const AnalyseCode analyse = spec.analyse ? spec.analyse : no_analysis;
  Explained all;
  for (const auto* view : views)
    for (auto& one : explain_all(*view, analyse))
      if (one.is_counted()) all.emplace(one.member, std::move(one));
  return all;
}

/// The parts of all cases in the order in which they are stacked, what was measured last.
std::vector<std::string> parts_of(const std::vector<Shown>& shown, const Explained& explained) {
  std::vector<std::string> names;
  for (const auto& one : shown)
    for (const auto& part : explained.at(one.member).parts.all)
      if (std::ranges::find(names, part.name) == names.end()) names.push_back(part.name);
  names.emplace_back(measured_name);
  return names;
}

/// The panels' marks, and how their seconds are drawn.
class Bars {
 public:
  Bars(const std::vector<std::string>& names, bool shares) : names_(names), shares_(shares) {}

  /// Bars next to each other: the core; loads, stores and transfers; the measured time, where it is not the
  /// unit.
  double width() const { return slot * (shares_ ? 2 : 3); }

  /// Returns how high they are. What is waited for is on the longer of the two: they overlap, it does not.
  double add(Panel& panel, const Shown& one, const Explanation& it, double x) const {
    const double unit = shares_ ? it.measured : 1;
    double high[2]{0, 0};  // of the core, of data
    const auto put = [&](const TimePart& part, std::size_t bar) {
      Mark mark =
          mark_of(one, part.name, part.seconds, fmt::format("{}: {}", name_of(part.evidence), part.from));
      mark.x = x + slot * static_cast<double>(bar);
      mark.from = high[bar];
      mark.y = high[bar] += part.seconds / unit;
      marks_of(panel, part.name).push_back(std::move(mark));
    };
    for (const auto& part : it.parts.all)
      if (part.kind != TimePart::Kind::waiting) put(part, part.kind == TimePart::Kind::core ? 0 : 1);
    const std::size_t longer = high[0] > high[1] ? 0 : 1;
    for (const auto& part : it.parts.all)
      if (part.kind == TimePart::Kind::waiting) put(part, longer);
    Mark measured = mark_of(one, measured_name, it.measured,
                            fmt::format("measured/predicted {}; {}", format_fixed(it.ratio(), 2),
                                        sureness_of(*one.member->record)));
    measured.x = x + 2 * slot;
    measured.y = it.measured;
    if (!shares_) marks_of(panel, measured_name).push_back(std::move(measured));
    return std::max({high[0], high[1], it.measured / unit});
  }

 private:
  std::vector<Mark>& marks_of(Panel& panel, const std::string& name) const {
    return panel.marks[static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin())];
  }
  static Mark mark_of(const Shown& one, const std::string& name, double seconds,
                      const std::string& evidence) {
    const std::string& id = one.member->record->id;
    return {.range = {},
            .tip = fmt::format("{}\n{}: {}\n{}\nfrom {}", id, name, format_seconds(seconds), evidence,
                               source_of(one)),
            .row = {id, name, exact(seconds), evidence, source_of(one)}};
  }

  const std::vector<std::string>& names_;
  bool shares_;
};

ChartAxis time_axis(double high) {
  constexpr std::pair<double, const char*> units[]{{1, "seconds"}, {1e-3, "ms"}, {1e-6, "µs"}};
  const auto unit = std::ranges::find_if(units, [&](const auto& each) { return high >= each.first; });
  const auto& [scale, title] = unit == std::end(units) ? units[2] : *unit;
  return axis_from_zero(title, high, scale);
}

/// The cases that differ in their problem alone, from small to large.
CaseGroups lines_of(const std::vector<const RunView*>& views, const std::vector<Shown>& shown,
                    const CaseAxes& axes) {
  constexpr std::size_t most = 12;
  CaseGroups lines = grouped(pointers(shown), [&](const Shown& one) {
    const std::string own = axes.own_text(one, {});
    return own.empty() ? one.label : one.label + ", " + own;
  });
  if (lines.size() > most)
    throw UsageError(fmt::format("ecm: {} variants and settings, expected at most {}, in {}; give --filter",
                                 lines.size(), most, files_of(views)));
  for (auto& [label, cases] : lines)
    std::ranges::stable_sort(cases, {}, [](const Shown* one) { return one->member->record->work->bytes(); });
  return lines;
}

}  // namespace

Drawing ecm_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                   const std::vector<Ceilings>&) {
  const bool shares = spec.value.empty() || spec.value == "share";
  if (!shares && spec.value != "time")
    throw UsageError(fmt::format("ecm: value: expected share or time, got \"{}\"", spec.value));
  auto shown = selected(spec, views);
  const Explained explained = explained_cases(spec, views);
  std::vector<std::pair<std::string, std::string>> left_out;
  std::erase_if(shown, [&](const Shown& one) {
    if (explained.contains(one.member)) return false;
    left_out.emplace_back(one.member->record->id,
                          "its lines and its code were not counted, or it has no ceilings");
    return true;
  });
  if (shown.empty())
    throw UsageError(
        fmt::format("ecm: {}: no case has ceilings and counted lines or code; uotbench explain VARIANT "
                    "measures both",
                    files_of(views)));
  const CaseAxes axes(shown);
  const auto names = parts_of(shown, explained);
  const Bars bars(names, shares);
  Chart chart;
  chart.bars = chart.stacked = true;
  chart.columns = {"id", "part", "seconds", "evidence", "run"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_measured = i + 1 == names.size();
    chart.series.push_back({.label = names[i],
                            .colour = is_measured ? rest_colour : look(i).colour,
                            .look = is_measured ? 0 : i});
  }
  for (const auto& [line, cases] : lines_of(views, shown, axes)) {
    Panel panel{.title = line, .x = {}, .y = {}, .marks = std::vector<std::vector<Mark>>(names.size())};
    double x = 0, high = 0;
    for (const auto* one : cases) {
      high = std::max(high, bars.add(panel, *one, explained.at(one->member), x));
      panel.x.ticks.push_back({x + (bars.width() - slot) / 2, axes.problem(*one)});
      x += bars.width() + slot;
    }
    panel.x.low = -slot;
    panel.x.high = x - slot;
    panel.y = shares ? axis_from_zero("% of the measured time", high, 0.01) : time_axis(high);
    if (shares) panel.level = 1;
    chart.panels.push_back(std::move(panel));
  }
  Drawing drawing = drawing_of(std::move(chart), spec);
  drawing.left_out = std::move(left_out);
  return drawing;
}

}  // namespace uotbench
