// How many fewer misses than a baseline, and how much lower rates.
#include <fmt/format.h>

#include <cmath>

#include "roofline/tables/counter_table.hpp"

namespace uotbench {
namespace {

/// What is held against the same of the baseline.
using CounterOf = std::function<Counter(const Record& record)>;
using Change = std::function<Counter(const Record& own, const Record& base)>;

void add_reduction(CounterTable& table, const Baselines& bases, const std::string& title,
                   const CounterOf& quantity, const Change& change_of, const char* less, const char* more) {
  const auto value = [&table, &bases, title, quantity, change_of](const CaseView& member) {
    const Record* const base = bases.of(member);
    const Counter own = quantity(*member.record);
    Counter change = base ? change_of(*member.record, *base) : reduction(own, Counter());
    if (!base && change.reason != own.reason)
      change.reason = "no baseline of its problem, worker, threads, cache and place was counted";
    if (!change.value && own.value) table.tell_reason(title, change.reason);
    if (change.value) table.tell_source(title, change.origin);
    if (change.value && title.ends_with(" rate") && counts_elements(own.origin)) table.tell_elements();
    return change;
  };
  table.column({title, value, [less, more](const Counter& change) -> std::string {
                  const double fewer = *change.value;
                  if (std::fabs(fewer) < 0.0005) return "equal";
                  return fmt::format("{:.1f}% {}", 100 * std::fabs(fewer), fewer > 0 ? less : more);
                }});
}

}  // namespace

Table reductions_table(const CountersOf& run, const Baselines& bases) {
  CounterTable table("Misses against " + bases.text());
  bool rates = false;
  for (const std::string cache : counted_caches) {
    if (!run.has(cache + ".misses")) continue;
    const auto misses = [cache](const Record& record) { return counter_or_why(record, cache + ".misses"); };
    const auto fewer = [misses](const Record& own, const Record& base) {
      return reduction(misses(own), misses(base));
    };
    add_reduction(table, bases, cache + " misses", misses, fewer, "fewer", "more");
    if (!run.has_rate(cache)) continue;
    rates = true;
    const auto rate = [cache](const Record& record) { return miss_rate(record, cache); };
    const auto lower = [cache](const Record& own, const Record& base) {
      return rate_reduction(own, base, cache);
    };
    add_reduction(table, bases, cache + " rate", rate, lower, "lower", "higher");
  }
  table.add_rows(run.view, [&](const CaseView& member) {
    return bases.of(member) != member.record && was_counted(*member.record);
  });
  return table.made(
      fmt::format("Misses: how many fewer an iteration has than that of the baseline.{} Source: {}.",
                  rates ? " Rates: how much lower misses per access of L1D are." : "", table.sources()));
}

}  // namespace uotbench
