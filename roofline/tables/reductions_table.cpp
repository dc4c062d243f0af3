// How many fewer misses than a baseline, and how much lower rates.
#include <fmt/format.h>

#include <cmath>

#include "roofline/tables/counter_rows.hpp"
#include "roofline/tables/counter_table.hpp"

namespace uotbench {
namespace {

/// What is held against the same of the baseline.
using Quantity = std::function<Counter(const Record& record)>;

void add_reduction(CounterTable& table, const Baselines& bases, const std::string& title,
                   const Quantity& quantity, const char* less, const char* more) {
  const auto value = [&table, &bases, title, quantity](const CaseView& member) {
    const Record* const base = bases.of(member);
    const Counter own = quantity(*member.record);
    Counter change = reduction(own, base ? quantity(*base) : Counter());
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
  for (const std::string cache : counted_caches) {
    if (!run.has(cache + ".misses")) continue;
    const auto misses = [cache](const Record& record) { return counter_or_why(record, cache + ".misses"); };
    add_reduction(table, bases, cache + " misses", misses, "fewer", "more");
    const auto rate = [cache](const Record& record) { return miss_rate(record, cache); };
    if (run.has_rate(cache)) add_reduction(table, bases, cache + " rate", rate, "lower", "higher");
  }
  table.add_rows(run.view, [&](const CaseView& member) {
    return bases.of(member) != member.record && was_counted(*member.record);
  });
  return table.made(
      fmt::format("Misses: how many fewer an iteration has than that of the baseline. Rates: how "
                  "much lower misses per access of L1D are. Source: {}.",
                  table.sources()));
}

}  // namespace uotbench
