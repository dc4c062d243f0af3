#include "roofline/model/reductions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <vector>

namespace uotbench {

Baselines::Baselines(const RunView& view, const Document& over) {
  const Reference reference = over.is_null() ? view.reference : Reference(over.json());
  const References references(*view.run, reference);
  struct Counted {
    const CaseView* member;
    References::Keys keys;
  };
  std::vector<Counted> counted;
  std::unordered_map<std::string, const Record*> bases;  // the first in the plan's order counts
  std::set<std::string> firsts;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      const Record& record = *member.record;
      if (record.counters.empty()) continue;
      firsts.insert(group.cases.front().record->variant);
      counted.push_back({&member, references.keys_of(record, group.cases.front().record->variant)});
      for (const auto& own : counted.back().keys.own) bases.try_emplace(own, &record);
    }
  for (const auto& [member, keys] : counted)
    if (const auto base = bases.find(keys.sought); base != bases.end()) of_[member] = base->second;
  text_ = reference.given()    ? reference.text()
          : firsts.size() == 1 ? *firsts.begin()
                               : "the first variant of each group";
}

const Record* Baselines::of(const CaseView& member) const {
  const auto found = of_.find(&member);
  return found == of_.end() ? nullptr : found->second;
}

Counter reduction(const Counter& own, const Counter& base) {
  Counter change = own;
  change.value.reset();
  change.unit = "1";
  change.lines.clear();
  change.origin = joined(own.origin, base.origin);
  if (!own.value) return change;
  if (!base.value)
    change.reason = fmt::format("its baseline: {}", base.reason);
  else if (own.origin.source != base.origin.source)
    change.reason = fmt::format("counted by {}, its baseline by {}", own.origin.source, base.origin.source);
  else if (own.per != base.per)
    change.reason = fmt::format("counted per {}, its baseline per {}", name_of(own.per), name_of(base.per));
  else if (*base.value <= 0)
    change.reason = "its baseline has 0";
  else if (const double value = 1 - *own.value / *base.value; std::isfinite(value))
    change.value = value;
  else
    change.reason = "the counts are no numbers that can be divided";
  return change;
}

Counter rate_reduction(const Record& own, const Record& base, const std::string& cache) {
  Counter change = reduction(miss_rate(own, cache), miss_rate(base, cache));
  if (!change.value || own.variant == base.variant || !counts_elements(change.origin)) return change;
  change.value.reset();
  change.reason = of_elements;
  return change;
}

}  // namespace uotbench
