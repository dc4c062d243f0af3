#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/base/error.hpp"
#include "results/base/parallel.hpp"
#include "results/record/timing.hpp"
#include "results/view/compare.hpp"

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

void BaseCases::add(const CaseView& member) {
  auto& first = of_unit[static_cast<std::size_t>(member.record->time->per)];
  if (!first) first = &member;
  if (!with_iterations && member.per_iteration) with_iterations = &member;
}

const CaseView* BaseCases::base_of(const CaseView& member) const {
  const CaseView* const alike = of_unit[static_cast<std::size_t>(member.record->time->per)];
  for (const CaseView* const base : {alike, with_iterations})
    if (base && compared_times(member, *base)) return base;
  return nullptr;
}

std::string BaseCases::units() const {
  std::vector<std::string> units;
  for (const auto& [unit, name] : units_of_timing::names)
    if (has(unit)) units.push_back(name);
  return fmt::format("{}", fmt::join(units, " and "));
}

TimedCases::TimedCases(const RunView& view, const References& references) {
  for (const auto& group : view.groups)
    for (const auto& member : group.cases)
      if (has_time(member)) all_.push_back({&member, &group.cases.front().record->variant, {}});
  in_parts(all_.size(), 1000, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      all_[i].keys = references.keys_of(*all_[i].member->record, *all_[i].first);
  });
  bases_.reserve(all_.size());
  for (auto& one : all_)
    for (const auto& own : one.keys.own) {
      BaseCases& bases = bases_[own];
      bases.add(*one.member);
      if (one.keys.sought == own) one.bases = &bases;
    }
  for (auto& one : all_)
    if (!one.bases)
      if (const auto found = bases_.find(one.keys.sought); found != bases_.end()) one.bases = &found->second;
}

Bases::Bases(const std::vector<const RunView*>& views, const Document& over) {
  for (const auto* view : views)
    if (over.is_null() && view->reference != views.front()->reference)
      throw UsageError(fmt::format(
          "speedups in {} are over something else than in {}; --over VARIANT chooses one reference for all",
          view->run->path.string(), views.front()->run->path.string()));
  for (const auto* view : views) {
    const TimedCases timed(*view,
                           References(*view->run, over.is_null() ? view->reference : Reference(over.json())));
    for (const auto& one : timed.all())
      if (const auto* base = one.bases ? one.bases->base_of(*one.member) : nullptr)
        bases_.emplace(one.member, base);
  }
}

const CaseView* Bases::of(const CaseView& member) const {
  const auto base = bases_.find(&member);
  return base == bases_.end() ? nullptr : base->second;
}

}  // namespace uotbench
