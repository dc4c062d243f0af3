#include "roofline/explain/run_facts.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "results/base/json.hpp"
#include "results/record/timing.hpp"
#include "roofline/model/caches.hpp"

namespace uotbench {

CpuModel cpu_of(const Run& run, const Record& record) {
  const MachineFacts& machine = run.machine_of(record);
  const Json& hashed = machine.hashed();
  const auto number = [&](const char* key) {
    const Json value = value_in(hashed, key);
    return whole_number<int>(value).value_or(0);
  };
  return {.vendor = text_in(hashed, "vendor"),
          .family = number("family"),
          .model = number("model"),
          .fingerprint = machine.fingerprint()};
}

namespace {

/// Of ceiling/chase on the record's machine: seconds of a load that waits for the one before it.
struct Latency {
  double working_set, seconds;
};

std::vector<Latency> latencies_of(const Run& run, const Record& record) {
  std::vector<Latency> all;
  for (const auto& other : run.records)
    if (other.variant == "ceiling/chase" && other.status == Status::ok && other.time && other.work &&
        other.machine == record.machine && other.work->working_set.value_or(0) > 0 &&
        !other.work->operations.empty() && other.work->operations.front().count > 0)
      all.push_back({.working_set = *other.work->working_set,
                     .seconds = summary_of(*other.time).median / other.work->operations.front().count});
  return all;
}

}  // namespace

std::optional<double> load_latency(const Run& run, const Record& record, double working_set) {
  const auto distance = [&](const Latency& one) {
    return std::abs(std::log2(one.working_set / working_set));
  };
  const auto all = latencies_of(run, record);
  const auto nearest = std::ranges::min_element(all, {}, distance);
  return nearest == all.end() || distance(*nearest) > 1 ? std::nullopt : std::optional(nearest->seconds);
}

std::optional<double> shared_latency(const Run& run, const Record& record) {
  const Caches caches(run.machine_of(record));
  const auto l2 = std::ranges::find(caches.levels(), std::string("L2"), &CacheLevel::name);
  if (l2 == caches.levels().end()) return std::nullopt;
  auto all = latencies_of(run, record);
  std::erase_if(all, [&](const Latency& one) { return one.working_set < 2 * l2->bytes; });
  const auto least = std::ranges::min_element(all, {}, &Latency::working_set);
  return least == all.end() ? std::nullopt : std::optional(least->seconds);
}

}  // namespace uotbench
