#include "roofline/figures/drawn_times.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/units.hpp"
#include "results/record/timing.hpp"
#include "results/view/compare.hpp"

namespace uotbench {

std::string sureness_of(const Record& record) {
  const auto count = record.time ? process_medians(*record.time).size() : 0;
  std::string text = fmt::format("{} process{}", count, count == 1 ? "" : "es");
  if (const auto interval = time_interval(record))
    text += fmt::format(", {} to {}", format_seconds(interval->low), format_seconds(interval->high));
  return text;
}

std::string processes_text(const std::vector<Shown>& shown) {
  bool one = false, several = false;
  for (const auto& each : shown)
    if (each.member->time) (process_medians(*each.member->record->time).size() > 1 ? several : one) = true;
  const char* const of_one = "95% interval of the median";
  return !several ? of_one
                  : fmt::format("fastest to slowest process{}",
                                one ? fmt::format(" (of one process: {})", of_one) : "");
}

bool tied(const CaseView& fastest, const CaseView& member) {
  const auto ratio = ratio_as_timed(fastest, member);
  if (!ratio) return false;
  if (ratio->interval) return ratio->interval->low <= 1;
  return ratio->value - 1 <= fastest.time->noise.value_or(0) + member.time->noise.value_or(0);
}

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
