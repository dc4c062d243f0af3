#include "results/record/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

/// How far a kind is from a plain count; what nobody knows is the farthest.
int rank_of(const std::string& kind) {
  constexpr const char* kinds[]{"exact", "measured", "scaled", "simulated"};
  return static_cast<int>(std::ranges::find(kinds, kind) - std::begin(kinds));
}

/// "papi and perf"; of equals one.
std::string both(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty() || a == b) return a.empty() ? b : a;
  const bool known = (" and " + a + " and ").find(" and " + b + " and ") != std::string::npos;
  return known ? a : a + " and " + b;
}

}  // namespace

std::string text_of(const CounterOrigin& origin) {
  std::string text = origin.source;
  if (origin.kind != "measured") text += ", " + origin.kind;
  if (origin.running)
    text += fmt::format("{} {:.0f}%", origin.kind == "scaled" ? "" : ", scaled", 100 * *origin.running);
  if (origin.socket_wide) text += ", socket-wide";
  if (!origin.worker.empty() && origin.worker != origin.source) text += ", by " + origin.worker;
  return on_one_line(text);
}

CounterOrigin without_share(CounterOrigin origin) {
  origin.running.reset();
  return origin;
}

CounterOrigin joined(const CounterOrigin& a, const CounterOrigin& b) {
  CounterOrigin all{.source = both(a.source, b.source),
                    .kind = rank_of(a.kind) < rank_of(b.kind) ? b.kind : a.kind,
                    .worker = both(a.worker, b.worker),
                    .running = a.running,
                    .socket_wide = a.socket_wide || b.socket_wide};
  if (b.running) all.running = std::min(*b.running, a.running.value_or(*b.running));
  return all;
}

std::optional<Counter> counter_of(const Record& record, const std::string& name) {
  const auto* const found = record.counters.find(name);
  return found ? found->counter : std::nullopt;
}

Counter counter_or_why(const Record& record, const std::string& name) {
  if (auto counter = counter_of(record, name)) return *counter;
  Counter none;
  none.reason =
      record.counters.contains(name) ? "what the record has under this name is no counter" : "not counted";
  return none;
}

std::optional<double> counted(const Record& record, const std::string& name) {
  const auto counter = counter_of(record, name);
  return counter ? counter->value : std::nullopt;
}

std::vector<std::string> counter_names_in(const std::vector<Record>& records) {
  std::vector<const Record*> pointers;
  for (const auto& record : records) pointers.push_back(&record);
  return counter_names_in(pointers);
}

std::vector<std::string> counter_names_in(const std::vector<const Record*>& records) {
  std::vector<std::string> others;
  std::set<std::string> known;
  for (const auto* record : records)
    for (const auto& entry : record->counters)
      if (known.insert(entry.name).second) others.push_back(entry.name);
  std::vector<std::string> names;
  for (const char* name : counter_names::all)
    if (known.contains(name)) {
      names.push_back(name);
      std::erase(others, name);
    }
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

const char* const of_elements =
    "trace counts accesses element by element, before the code is vectorised, and those written with vectors "
    "by the vector: its rates compare neither with other sources nor between variants";

bool counts_elements(const CounterOrigin& origin) { return origin.source == "trace"; }

std::string accesses_for(const std::string& cache) {
  const bool of_hierarchy = cache == "L1D" || cache == "L2" || cache == "L3";
  return of_hierarchy ? counter_names::l1_accesses : cache + ".accesses";
}

Counter miss_rate(const Record& record, const std::string& cache) {
  const std::string denominator = accesses_for(cache);
  Counter rate = counter_or_why(record, cache + ".misses");
  const Counter accesses = counter_or_why(record, denominator);
  rate.unit = "1";
  rate.from = fmt::format("{}.misses / {}", cache, denominator);
  rate.lines.clear();
  if (!rate.value) return rate;
  const auto none = [&](const std::string& reason) {
    rate.value.reset();
    rate.reason = reason;
    return rate;
  };
  if (!accesses.value) return none(fmt::format("{}: {}", denominator, accesses.reason));
  if (accesses.origin.source != rate.origin.source || accesses.origin.worker != rate.origin.worker)
    return none(fmt::format("no rate across sources: {}.misses is from {}, {} from {}", cache,
                            text_of(rate.origin), denominator, text_of(accesses.origin)));
  if (accesses.per != rate.per)
    return none(fmt::format("{}.misses is per {}, {} per {}", cache, name_of(rate.per), denominator,
                            name_of(accesses.per)));
  if (*accesses.value <= 0) return none(fmt::format("{} is 0", denominator));
  rate.value = *rate.value / *accesses.value;
  rate.origin = joined(rate.origin, accesses.origin);
  return std::isfinite(*rate.value) ? rate : none("the counts are no numbers that can be divided");
}

}  // namespace uotbench
