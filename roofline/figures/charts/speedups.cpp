#include "roofline/figures/charts/speedups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "results/base/document.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "roofline/figures/drawn_times.hpp"
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

}  // namespace uotbench
