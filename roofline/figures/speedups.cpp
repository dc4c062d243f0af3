// Speedups as figures show them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "results/base/units.hpp"
#include "results/record/case_parts.hpp"
#include "roofline/figures/lines.hpp"
#include "roofline/figures/ratio.hpp"

namespace uotbench {

std::string exact(double value) { return fmt::format("{}", value); }

std::vector<SpeedupMark> speedups_of(const std::vector<const Shown*>& cases, const Bases& bases) {
  std::vector<SpeedupMark> marks;
  for (const auto* shown : cases)
    if (const auto* base = bases.of(*shown->member))
      marks.push_back({.shown = shown, .base = base, .ratio = ratio_of(*shown->member, *base)});
  return marks;
}

std::string tip_of(const SpeedupMark& mark) {
  const auto& [shown, base, ratio] = mark;
  std::string text =
      fmt::format("{}\n{:.3g}× over {}", shown->member->record->id, ratio.value, base->record->id);
  if (ratio.interval)
    text += fmt::format("\n{:.3g}× to {:.3g}× ({:.0f}% interval of paired rounds)", ratio.interval->low,
                        ratio.interval->high, 100 * ratio.interval->coverage);
  return text + fmt::format("\n{} against {}, measured: {}\nfrom {}",
                            format_seconds(shown->member->time->median), format_seconds(base->time->median),
                            sureness_of(*shown->member->record), source_of(*shown));
}

DataTable speedup_table() {
  return {.columns = {"id", "reference", "median_s", "reference_median_s", "speedup", "speedup_low",
                      "speedup_high", "coverage", "run"},
          .rows = {}};
}

std::vector<std::string> row_of(const SpeedupMark& mark) {
  const auto& [shown, base, ratio] = mark;
  const auto& interval = ratio.interval;
  return {shown->member->record->id,
          base->record->id,
          exact(shown->member->time->median),
          exact(base->time->median),
          exact(ratio.value),
          interval ? exact(interval->low) : "",
          interval ? exact(interval->high) : "",
          interval ? exact(interval->coverage) : "",
          source_of(*shown)};
}

std::string base_text(const FigureSpec& spec, const std::vector<SpeedupMark>& marks, const Json& over) {
  std::set<std::string> variants;
  bool own = true;
  for (const auto& mark : marks) {
    variants.insert(mark.base->record->variant);
    own &= mark.base->record->variant == mark.shown->member->record->variant;
  }
  // One text for all: what the bases are called, then the axes that the reference names.
  std::vector<std::string> parts{own                    ? "itself"
                                 : variants.size() == 1 ? label_of(spec, *variants.begin())
                                                        : "the first variant"};
  const Json& named = over.is_null() && !marks.empty() ? marks.front().shown->view->reference.json() : over;
  std::map<const RunView*, AxisRoles> roles;
  for (const auto& mark : marks) roles.try_emplace(mark.shown->view, mark.shown->view->run->header);
  const auto is_setting = [&](const SpeedupMark& mark, const std::string& axis) {
    return roles.at(mark.shown->view).is_setting(family_of(*mark.base->record), axis);
  };
  if (named.is_object())
    for (const auto& [axis, value] : named.items())
      if (axis != "variant")
        parts.push_back(axis == "worker"
                            ? value_text(value)
                            : axis_text(axis, value, std::ranges::any_of(marks, [&](const auto& mark) {
                                          return is_setting(mark, axis);
                                        })));
  // Where it names no threads, each case is held against one of as many.
  std::map<std::string, std::set<Json>> counts;
  for (const auto& mark : marks)
    for (const auto& [axis, value] : mark.base->record->point.items())
      if (value.is_number() && is_setting(mark, axis)) counts[axis].insert(value);
  for (const auto& [axis, values] : counts)
    if (values.size() > 1 && !(named.is_object() && named.contains(axis))) parts.push_back("same " + axis);
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace uotbench
