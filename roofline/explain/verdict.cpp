#include <fmt/format.h>

#include <algorithm>

#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/counters.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/explain/run_facts.hpp"

namespace uotbench {
namespace {

Bottleneck kind_of(const TimePart& part, const InCore& core) {
  switch (part.kind) {
    case TimePart::Kind::core:
      return core.known() && core.bound == dependency_chain ? Bottleneck::dependency_chain
                                                            : Bottleneck::core_throughput;
    case TimePart::Kind::memory:
      return core.known() ? Bottleneck::core_throughput : Bottleneck::memory_bandwidth;
    case TimePart::Kind::transfer:
      return part.bound.starts_with(scattered_lines_from) ? Bottleneck::latency
                                                          : Bottleneck::memory_bandwidth;
    case TimePart::Kind::waiting:
      return part.bound == page_faults             ? Bottleneck::pages
             : part.bound == mispredicted_branches ? Bottleneck::mispredictions
             : part.bound == load_imbalance        ? Bottleneck::imbalance
                                                   : Bottleneck::overhead;
  }
  return Bottleneck::unexplained;
}

/// "memory bandwidth at L3", "in-core throughput, port SPRPort05".
std::string what_bounds(const TimePart& part, const InCore& core) {
  const Bottleneck kind = kind_of(part, core);
  if (kind == Bottleneck::core_throughput) return fmt::format("in-core throughput ({})", part.bound);
  if (kind == Bottleneck::latency) return fmt::format("{} ({})", name_of(kind), part.bound);
  return kind == Bottleneck::memory_bandwidth ? part.bound : name_of(kind);
}

/// Loads that wait for memory one by one; empty: they do not, or it is not known.
std::string latency_text(const Explanation& it, const Run& run) {
  const Record& record = *it.member->record;
  if (!record.work->working_set) return "";
  const auto latency = load_latency(run, record, *record.work->working_set);
  if (!latency) return "";
  for (const char* level : {counter_names::l3_misses, counter_names::l2_misses, counter_names::l1_misses})
    if (const auto misses = counted(record, level); misses && *misses > 0) {
      const double waits = *misses * *latency / static_cast<double>(it.setting.threads);
      // Bandwidth-bound kernels have ten and more lines under way.
      constexpr double few = 2;
      const double under_way = waits / it.measured;
      if (under_way > few || waits < least_explained * it.measured) return "";
      return fmt::format("{} misses ({}) of {} each are {}: {} lines under way at a time",
                         format_count(*misses), level, format_seconds(*latency), format_seconds(waits),
                         format_fixed(under_way, 1));
    }
  return "";
}

/// What may make a case take longer than its parts.
struct Cause {
  Bottleneck kind;
  double predicted;  ///< seconds that the parts come to with it
  std::string text;
  std::string gain;  ///< what removing it does, for a person; empty: it is not the case's
};

/// Those that the record has the facts of, the surest first.
std::vector<Cause> causes_of(const Explanation& it, const Run& run) {
  std::vector<Cause> causes;
  if (it.busy && *it.busy < least_busy)
    causes.push_back({.kind = Bottleneck::other_processes,
                      .predicted = it.together / *it.busy,
                      .text = fmt::format("it had its CPUs for {} of the time", format_percent(*it.busy)),
                      .gain = ""});
  constexpr double slower = 0.95;
  if (it.own_clock && *it.own_clock < slower * it.clock)
    causes.push_back(
        {.kind = Bottleneck::frequency,
         .predicted = it.parts.at_slower_clock(it.clock / *it.own_clock).together(),
         .text = fmt::format("its cores ran at {} GHz, and at {} GHz for the ceilings",
                             format_fixed(1e-9 * *it.own_clock, 2), format_fixed(1e-9 * it.clock, 2)),
         .gain = fmt::format("at {} GHz", format_fixed(1e-9 * it.clock, 2))});
  const Record& record = *it.member->record;
  const double taken = counted(record, counter_names::true_sharing).value_or(0) +
                       counted(record, counter_names::false_sharing).value_or(0);
  // Stores wait for lines of other cores, too, but several at a time: at most this is what they take.
  if (const auto latency = shared_latency(run, record); it.setting.threads > 1 && taken > 0 && latency) {
    const double seconds = taken * *latency / static_cast<double>(it.setting.threads);
    causes.push_back(
        {.kind = Bottleneck::latency,
         .predicted = it.together + seconds,
         .text = fmt::format("{} misses of lines that other threads wrote ({}, {}) of up to {} each are {}",
                             format_count(taken), counter_names::true_sharing, counter_names::false_sharing,
                             format_seconds(*latency), format_seconds(seconds)),
         .gain = "with lines of their own"});
  }
  // A walk that misses the TLB's own caches loads one entry of 8 bytes for each page of 4 KiB.
  constexpr double entry_per_byte = 8. / 4096;
  if (const auto walks = counted(record, counter_names::page_walks);
      walks && *walks > 0 && record.work->working_set)
    if (const auto latency = load_latency(run, record, *record.work->working_set * entry_per_byte)) {
      const double seconds = *walks * *latency / static_cast<double>(it.setting.threads);
      causes.push_back(
          {.kind = Bottleneck::pages,
           .predicted = it.together + seconds,
           .text = fmt::format("{} page walks ({}) of {} each are {}", format_count(*walks),
                               counter_names::page_walks, format_seconds(*latency), format_seconds(seconds)),
           .gain = "with huge pages"});
    }
  return causes;
}

/// What waiting for the busiest thread takes, where the time would not be explained without, and most of what
/// would be left open is that; else null.
const TimePart* decisive_imbalance(const Explanation& it) {
  const auto part =
      std::ranges::find_if(it.parts.all, [](const TimePart& one) { return one.bound == load_imbalance; });
  if (part == it.parts.all.end()) return nullptr;
  const double even = it.together - part->seconds;
  const bool explained = it.measured <= most_explained * even;
  return explained || part->seconds < (it.measured - even) / 2 ? nullptr : &*part;
}

void blame_imbalance(Explanation& it, const TimePart& part) {
  const double even = it.together - part.seconds;
  it.bottleneck = Bottleneck::imbalance;
  it.verdict =
      fmt::format("{} of {} are not explained by even shares ({}); {}", format_seconds(it.measured - even),
                  format_seconds(it.measured), format_seconds(even), part.from);
  it.next = fmt::format("with even shares at most {}x as fast",
                        format_fixed(std::min(it.together, it.measured) / even, 2));
}

/// A time that its parts do not explain. A cause explains it when the time is right with it, and it accounts
/// for most of what the parts leave open.
void look_further(Explanation& it, const Run& run) {
  const double gap = it.measured - it.together;
  const std::string left = fmt::format("{} of {} are not explained by its parts ({})", format_seconds(gap),
                                       format_seconds(it.measured), format_seconds(it.together));
  for (const auto& cause : causes_of(it, run)) {
    if (it.measured > most_explained * cause.predicted || cause.predicted - it.together < gap / 2) continue;
    it.bottleneck = cause.kind;
    it.verdict = fmt::format("{}; {}", left, cause.text);
    if (!cause.gain.empty())
      it.next = fmt::format("{} at most {}x as fast", cause.gain,
                            format_fixed(std::min(cause.predicted, it.measured) / it.together, 2));
    return;
  }
  if (const std::string waits = latency_text(it, run); !waits.empty()) {
    it.bottleneck = Bottleneck::latency;
    it.verdict = waits;
    return;
  }
  it.bottleneck = Bottleneck::unexplained;
  it.verdict = left;
}

}  // namespace

void decide(Explanation& it, const Run& run) {
  const TimePart* const bounding = it.parts.bounding();
  if (it.together <= 0 || !bounding) {
    it.verdict = "no component of its time is known: there are no ceilings for its data and threads";
    return;
  }
  if (it.ratio() > most_explained)
    look_further(it, run);
  else if (const TimePart* const imbalance = decisive_imbalance(it))
    blame_imbalance(it, *imbalance);
  else if (it.ratio() < least_explained)
    it.verdict = fmt::format(
        "{}, but its parts come to {}: a ceiling was measured too low, or the work model moves too much",
        format_seconds(it.measured), format_seconds(it.together));
  else {
    it.bottleneck = kind_of(*bounding, it.core);
    it.verdict = fmt::format("{}: {} predicted, measured {}", what_bounds(*bounding, it.core),
                             format_seconds(bounding->seconds), format_seconds(it.measured));
  }
  if (!it.next.empty()) return;
  const TimeParts rest = it.parts.without(*bounding);
  const double saved = it.together - rest.together();
  const TimePart* const after = rest.bounding();
  // What no part explains stays; and where the parts are more than the time, those that are left still limit
  // it.
  const double left = std::max(it.measured - saved, rest.together());
  if (!(saved > 0) || !(left > 0) || left >= it.measured || !after) return;
  it.next =
      fmt::format("without \"{}\" at most {}x as fast", bounding->name, format_fixed(it.measured / left, 2));
  if (after->seconds > 0) it.next += fmt::format("; then {} bounds", what_bounds(*after, it.core));
}

}  // namespace uotbench
