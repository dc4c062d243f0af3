#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "roofline/figures/charts/chart.hpp"
#include "roofline/figures/drawn_times.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/figures/lines.hpp"

namespace uotbench {
namespace {

std::string per_of(const Speedup& speedup) {
  return name_of(speedup.ratio.times.of_iterations ? Unit::iteration
                                                   : speedup.shown->member->record->time->per);
}

std::string tip_of(const Speedup& speedup) {
  const auto& [shown, base, ratio] = speedup;
  std::string text =
      fmt::format("{}\n{:.3g}× over {}", shown->member->record->id, ratio.value, base->record->id);
  if (ratio.interval)
    text += fmt::format("\n{:.3g}× to {:.3g}× ({:.0f}% interval of paired rounds)", ratio.interval->low,
                        ratio.interval->high, std::floor(100 * ratio.interval->coverage + 1e-9));
  return text + fmt::format("\n{} against {} per {}, measured: {}\nfrom {}", format_seconds(ratio.times.a),
                            format_seconds(ratio.times.b), per_of(speedup),
                            sureness_of(*shown->member->record), source_of(*shown));
}

std::vector<std::string> row_of(const Speedup& speedup) {
  const auto& [shown, base, ratio] = speedup;
  const auto& interval = ratio.interval;
  return {shown->member->record->id,
          base->record->id,
          exact(ratio.times.a),
          exact(ratio.times.b),
          exact(ratio.value),
          interval ? exact(interval->low) : "",
          interval ? exact(interval->high) : "",
          interval ? exact(interval->coverage) : "",
          per_of(speedup),
          source_of(*shown)};
}

// Speedups over problem sizes, as Fig. 9 and 13 of the MAP-UOT paper: bars for a few sizes, lines for many.

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

std::optional<Speedup> speedup_of(const Shown& shown, const Bases& bases) {
  const auto* base = bases.of(*shown.member);
  if (!base) return std::nullopt;
  const auto ratio = compared_ratio(*shown.member, *base);
  return ratio ? std::optional(Speedup{.shown = &shown, .base = base, .ratio = *ratio}) : std::nullopt;
}

Mark mark_of(const Speedup& speedup, double x) {
  std::optional<Interval> range;
  if (const auto& interval = speedup.ratio.interval) range = Interval{interval->low, interval->high};
  return {.x = x,
          .y = speedup.ratio.value,
          .range = range,
          .tip = tip_of(speedup),
          .row = row_of(speedup),
          .doubtful = !speedup.base->warnings.empty()};
}

std::vector<std::string> speedup_columns() {
  return {"id",       "reference", "seconds", "reference_seconds", "speedup", "speedup_low", "speedup_high",
          "coverage", "per",       "run"};
}

std::string intervals_text(const std::vector<Speedup>& speedups) {
  std::set<std::string> coverages;
  for (const auto& speedup : speedups)
    if (const auto& interval = speedup.ratio.interval)
      coverages.insert(fmt::format("{:.0f}%", std::floor(100 * interval->coverage + 1e-9)));
  return fmt::format("{} interval over paired rounds", fmt::join(coverages, " to "));
}

void explain_intervals(Drawing& drawing, const std::vector<Speedup>& speedups) {
  const bool below = std::ranges::any_of(speedups, [](const Speedup& speedup) {
    return speedup.ratio.interval && speedup.ratio.interval->coverage < 0.95;
  });
  if (below && !drawing.intervals.empty()) drawing.intervals += "; 95% takes 6 rounds";
}

std::string base_text(const FigureSpec& spec, const std::vector<Speedup>& speedups, const Document& over) {
  std::set<std::string> variants;
  bool own = true;
  for (const auto& speedup : speedups) {
    variants.insert(speedup.base->record->variant);
    own &= speedup.base->record->variant == speedup.shown->member->record->variant;
  }
  // One text for all: what the bases are called, then the axes that the reference names.
  std::vector<std::string> parts{own                    ? "itself"
                                 : variants.size() == 1 ? label_of(spec, *variants.begin())
                                                        : "the first variant"};
  const ObjectDocument named(
      over.is_null() && !speedups.empty() ? speedups.front().shown->view->reference.document() : over);
  std::map<const RunView*, AxisRoles> roles;
  for (const auto& speedup : speedups)
    roles.try_emplace(speedup.shown->view, speedup.shown->view->run->header);
  const auto is_setting = [&](const Speedup& speedup, const std::string& axis) {
    return roles.at(speedup.shown->view).is_setting(family_of(*speedup.base->record), axis);
  };
  for (const auto& axis : named.names()) {
    if (axis == "variant") continue;
    const bool setting =
        std::ranges::any_of(speedups, [&](const auto& speedup) { return is_setting(speedup, axis); });
    parts.push_back(axis == "worker" ? named.text(axis) : axis_text(axis, *named.find(axis), setting));
  }
  // Where it names no threads, each case is held against one of as many.
  std::map<std::string, std::set<Value>> counts;
  for (const auto& speedup : speedups)
    for (const auto& axis : speedup.base->record->point.names())
      if (const Value value = speedup.base->record->point.value(axis);
          value.is_number() && is_setting(speedup, axis))
        counts[axis].insert(value);
  for (const auto& [axis, values] : counts)
    if (values.size() > 1 && !named.contains(axis)) parts.push_back("same " + axis);
  return fmt::format("{}", fmt::join(parts, ", "));
}

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
