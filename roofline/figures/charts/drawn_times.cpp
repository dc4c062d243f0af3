#include "roofline/figures/charts/drawn_times.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace uotbench {

DrawnTimes::DrawnTimes(std::vector<Shown>& shown,
                       std::vector<std::pair<std::string, std::string>>& left_out) {
  if (shown.empty()) return;
  per_ = shown.front().member->record->time->per;
  mixed_ =
      std::ranges::any_of(shown, [&](const Shown& one) { return one.member->record->time->per != per_; });
  if (!mixed_) return;
  const auto is_known = [](const Shown& one) { return one.member->per_iteration.has_value(); };
  if (std::ranges::none_of(shown,
                           is_known)) {  // parts and solves of unknown length: one unit at most is drawn
    mixed_ = false;
  } else {
    per_ = Unit::iteration;
  }
  std::erase_if(shown, [&](const Shown& one) {
    const Record& record = *one.member->record;
    if (mixed_ ? is_known(one) : record.time->per == per_) return false;
    left_out.emplace_back(
        record.id, fmt::format("timed per {}, the others per {}", name_of(record.time->per), name_of(per_)));
    return true;
  });
}

DrawnTime DrawnTimes::of(const CaseView& member) const {
  const double median = member.time->median;
  if (!mixed_) return {.seconds = median, .per = per_};
  return {.seconds = *member.per_iteration, .per = per_, .scale = *member.per_iteration / median};
}

}  // namespace uotbench
