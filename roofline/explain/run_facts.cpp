#include "roofline/explain/run_facts.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "results/base/json.hpp"
#include "results/record/timing.hpp"
#include "roofline/model/caches.hpp"

namespace uotbench {

CpuModel cpu_of(const Run& run, const Record& record) {
  const MachineFacts& machine = run.machine_of(record);
  const Json& hashed = machine.hashed();
  const auto number = [&](const char* key) {
    const Json value = value_in(hashed, key);
    return value.is_number_integer() ? value.get<int>() : 0;
  };
  return {.vendor = text_in(hashed, "vendor"),
          .family = number("family"),
          .model = number("model"),
          .fingerprint = machine.fingerprint()};
}

std::optional<double> load_latency(const Run& run, const Record& record, double working_set) {
  for (const auto& other : run.records) {
    if (other.variant != "ceiling/chase" || other.status != Status::ok || !other.time || !other.work ||
        other.machine != record.machine || other.work->operations.empty())
      continue;
    const double ratio = other.work->working_set.value_or(0) / working_set;
    constexpr double alike = 2;
    if (ratio < 1 / alike || ratio > alike) continue;
    return summary_of(*other.time).median / other.work->operations.front().count;
  }
  return std::nullopt;
}

std::optional<double> shared_latency(const Run& run, const Record& record) {
  const Caches caches(run.machine_of(record));
  const auto l2 = std::ranges::find(caches.levels(), std::string("L2"), &CacheLevel::name);
  if (l2 == caches.levels().end()) return std::nullopt;
  std::optional<double> least;
  for (const auto& other : run.records)
    if (other.variant == "ceiling/chase" && other.work && other.machine == record.machine)
      if (const double set = other.work->working_set.value_or(0);
          set >= 2 * l2->bytes && set < least.value_or(std::numeric_limits<double>::infinity()))
        least = set;
  return least ? load_latency(run, record, *least) : std::nullopt;
}

}  // namespace uotbench
