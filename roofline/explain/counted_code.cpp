#include "roofline/explain/counted_code.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "results/record/axes/settings.hpp"
#include "results/record/counters.hpp"
#include "roofline/explain/hot_code.hpp"

namespace uotbench {
namespace {

struct Passes {
  double times;
  const char* from;  ///< what the number is a ratio of
};

std::vector<const Record*> records_with(const Run& run, const char* counter) {
  std::vector<const Record*> records;
  for (const auto& record : run.records)
    if (record.counters.contains(counter) && counted(record, counter)) records.push_back(&record);
  return records;
}

/// The point without threads and `others`.
ObjectDocument point_without(const ObjectDocument& point, const std::vector<std::string>& others) {
  return point.without({setting_axis::threads, setting_axis::place}).without(others);
}

bool same_but(const Record& a, const Record& b, const std::vector<std::string>& axes) {
  return a.variant == b.variant && a.worker == b.worker && a.machine == b.machine &&
         point_without(a.point, axes) == point_without(b.point, axes);
}

/// How many times the work of `b` that of `a` is: flops, or bytes where there are none. Absent: not known.
std::optional<double> work_ratio(const Work& a, const Work& b) {
  if (a.flops > 0 && b.flops > 0) return a.flops / b.flops;
  if (a.bytes() > 0 && b.bytes() > 0) return a.bytes() / b.bytes();
  return std::nullopt;
}

/// How often a unit of `a` passes through the code that a unit of `b` passes through once. Of solves and
/// parts the memory accesses say it, where both were counted (`counts`: the record that has those of `a`):
/// the number of iterations of a solve differs, and a part may leave out what it need not compute.
std::optional<Passes> passes_of(const Record& a, const Record& counts, const Record& b) {
  if (!a.work || !b.work || !a.time || !b.time || a.time->per != b.time->per) return std::nullopt;
  if (a.time->per != Unit::iteration) {
    const auto mine = counter_of(counts, counter_names::l1_accesses),
               other = counter_of(b, counter_names::l1_accesses);
    // A vector's access is one to hardware and to callgrind, and several to the compiler's callbacks.
    if (mine && other && mine->value.value_or(0) > 0 && other->value.value_or(0) > 0 &&
        counts_elements(mine->origin) == counts_elements(other->origin))
      return Passes{*mine->value / *other->value, "their counted accesses"};
    if (a.time->per == Unit::solve) return std::nullopt;
  }
  const auto times = work_ratio(*a.work, *b.work);
  return times ? std::optional(Passes{*times, "their work"}) : std::nullopt;
}

}  // namespace

CountedCode::CountedCode(const Run& run, const AnalyseCode& analyse)
    : run_(run),
      analyse_(analyse),
      roles_(run.header),
      coded_(records_with(run, counter_names::by_block)),
      lined_(records_with(run, counter_names::by_line)),
      accessed_(records_with(run, counter_names::l1_accesses)) {}

const InCore& CountedCode::analysed(const Record& record) {
  const auto found = known_.find(&record);
  return found != known_.end() ? found->second
                               : known_.emplace(&record, analyse_(run_, record)).first->second;
}

CountedCode::Source CountedCode::of_another_size(const Record& record) const {
  const auto sizes = roles_.sizes(record);
  Source nearest;
  const auto distance = [](double times) { return std::abs(std::log(times)); };
  for (const Record* const one : coded_) {
    if (!same_but(*one, record, sizes)) continue;
    const auto passes = passes_of(record, with_accesses(record), *one);
    if (!passes || (nearest.record && distance(passes->times) >= distance(nearest.times))) continue;
    nearest = {.record = one, .times = passes->times, .times_from = passes->from};
  }
  return nearest;
}

CountedCode::Source CountedCode::source_of(const Record& record) const {
  std::string reason;
  if (hot_code_of(record, reason)) return {.record = &record};
  for (const Record* const one : coded_)
    if (same_but(*one, record, {}) && hot_code_of(*one, reason)) return {.record = one};
  const Source other = of_another_size(record);
  return other.record && hot_code_of(*other.record, reason) ? other : Source{};
}

InCore CountedCode::core_of(const Record& record) {
  const Source source = source_of(record);
  if (!source.record) {
    std::string reason;
    hot_code_of(record, reason);
    return {.tool = {}, .reason = reason};
  }
  InCore core = analysed(*source.record);
  if (source.record == &record) return core;
  core.counted_of = source.record->id;
  core.multiply(source.times);
  core.times_from = source.times_from;
  return core;
}

std::optional<CountedBranches> CountedCode::branches_of(const Record& record) const {
  const Source source = source_of(record);
  if (!source.record) return std::nullopt;
  auto counter = counter_of(*source.record, counter_names::first_mispredicted);
  if (source.times <= 1 || !counter || !counter->value)
    counter = counter_of(*source.record, counter_names::mispredicted);
  if (!counter || !counter->value) return std::nullopt;
  return CountedBranches{.mispredicted = source.times * *counter->value, .source = text_of(counter->origin)};
}

HotLines CountedCode::lines_of(const Record& record) const {
  HotLines own = hot_lines_of(record);
  if (own.known()) return own;
  for (const Record* const one : lined_)
    if (same_but(*one, record, {}))
      if (HotLines lines = hot_lines_of(*one); lines.known()) {
        lines.counted_of = one->id;
        return lines;
      }
  return own;
}

const Record& CountedCode::with_accesses(const Record& record) const {
  for (const char* own : {counter_names::l1_accesses, counter_names::l1_misses, counter_names::l2_misses,
                          counter_names::l3_misses})
    if (counted(record, own)) return record;
  const Record* nearest = &record;
  for (const Record* const one : accessed_)
    if (same_but(*one, record, {}) &&
        (nearest == &record || settings_of(one->point).threads < settings_of(nearest->point).threads))
      nearest = one;
  return *nearest;
}

}  // namespace uotbench
