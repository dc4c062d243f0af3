#include "results/view/compared_times.hpp"

#include "results/record/rounds.hpp"

namespace uotbench {
namespace {

ComparedRatio ratio_of(const CaseView& a, const CaseView& b, const ComparedTimes& times) {
  ComparedRatio ratio{.value = times.ratio(),
                      .interval = paired_medians(*a.record->time, *b.record->time).interval(),
                      .times = times};
  if (ratio.interval) {
    const double scale = times.b / b.time->median / (times.a / a.time->median);
    ratio.interval->low *= scale, ratio.interval->high *= scale;
  }
  return ratio;
}

}  // namespace

std::optional<ComparedTimes> times_as_timed(const CaseView& a, const CaseView& b) {
  if (!has_time(a) || !has_time(b) || a.record->time->per != b.record->time->per) return std::nullopt;
  return ComparedTimes{.a = a.time->median, .b = b.time->median};
}

std::optional<ComparedTimes> compared_times(const CaseView& a, const CaseView& b) {
  if (!has_time(a) || !has_time(b)) return std::nullopt;
  const Unit of_a = a.record->time->per, of_b = b.record->time->per;
  const bool solves = of_a == Unit::solve && of_b == Unit::solve;
  if (of_a == of_b && !(solves && (a.among_iterations || b.among_iterations))) return times_as_timed(a, b);
  if (!a.per_iteration || !b.per_iteration) return std::nullopt;
  return ComparedTimes{.a = *a.per_iteration, .b = *b.per_iteration, .of_iterations = true};
}

std::optional<ComparedRatio> compared_ratio(const CaseView& a, const CaseView& b) {
  const auto times = compared_times(a, b);
  return times ? std::optional(ratio_of(a, b, *times)) : std::nullopt;
}

std::optional<ComparedRatio> ratio_as_timed(const CaseView& a, const CaseView& b) {
  const auto times = times_as_timed(a, b);
  return times ? std::optional(ratio_of(a, b, *times)) : std::nullopt;
}

double comparable_seconds(const CaseView& member) {
  const bool solve = member.record->time->per == Unit::solve;
  return solve && member.among_iterations && member.per_iteration ? *member.per_iteration
                                                                  : member.time->median;
}

}  // namespace uotbench
