#include "roofline/figures/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/record/rounds.hpp"

namespace uotbench {
std::string sureness_of(const Record& record) {
  const auto count = record.time ? process_medians(*record.time).size() : 0;
  std::string text = fmt::format("{} process{}", count, count == 1 ? "" : "es");
  if (const auto interval = time_interval(record))
    text += fmt::format(", {} to {}", format_seconds(interval->low), format_seconds(interval->high));
  return text;
}

Ratio ratio_of(const CaseView& a, const CaseView& b) {
  const auto [of_a, of_b] = paired_medians(*a.record->time, *b.record->time);
  return {.value = b.time->median / a.time->median, .interval = paired_ratio_interval(of_a, of_b)};
}

bool tied(const CaseView& fastest, const CaseView& member) {
  const Ratio ratio = ratio_of(fastest, member);
  if (ratio.interval) return ratio.interval->low <= 1;
  return ratio.value - 1 <= fastest.time->noise.value_or(0) + member.time->noise.value_or(0);
}

Bases::Bases(const std::vector<const RunView*>& views, const Json& over) {
  for (const auto* view : views)
    if (over.is_null() && view->reference.json() != views.front()->reference.json())
      throw UsageError(fmt::format(
          "speedups in {} are over something else than in {}; --over VARIANT chooses one reference for all",
          view->run->path.string(), views.front()->run->path.string()));
  for (const auto* view : views) add(*view, over.is_null() ? view->reference : Reference(over));
}

void Bases::add(const RunView& view, const Reference& over) {
  const References references(*view.run, over);
  std::unordered_map<std::string, const CaseView*> known;
  std::vector<std::pair<const CaseView*, std::string>> sought;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      if (!has_time(member)) continue;
      auto keys = references.keys_of(*member.record, group.cases.front().record->variant);
      for (auto& own : keys.own)  // the first in the plan's order counts, as in tables
        known.try_emplace(std::move(own), &member);
      sought.emplace_back(&member, std::move(keys.sought));
    }
  for (const auto& [member, key] : sought)
    if (const auto base = known.find(key); base != known.end()) bases_.emplace(member, base->second);
}

const CaseView* Bases::of(const CaseView& member) const {
  const auto base = bases_.find(&member);
  return base == bases_.end() ? nullptr : base->second;
}

}  // namespace uotbench
