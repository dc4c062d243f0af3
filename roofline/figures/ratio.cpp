#include "roofline/figures/ratio.hpp"

#include <fmt/format.h>

#include "results/base/units.hpp"
#include "results/record/timing.hpp"
#include "results/view/compared_times.hpp"

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

}  // namespace uotbench
