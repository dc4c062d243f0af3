#include "tools/uotbench/running/counter_plan.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "harness/host/facts/cache_shapes.hpp"
#include "harness/host/facts/machine.hpp"
#include "tools/uotbench/flags/locations.hpp"

namespace uotbench {
namespace {

/// AuthenticAMD/25/17: vendor, family and model as /proc/cpuinfo has them; empty where it has none.
std::string cpu_of_this_machine() {
  const auto facts = machine_facts().at("hashed");
  std::string cpu;
  for (const char* key : {"vendor", "family", "model"}) {
    const auto& fact = facts.at(key);
    if (fact.is_null()) break;
    cpu += (cpu.empty() ? "" : "/") + (fact.is_string() ? fact.get<std::string>() : fact.dump());
  }
  return cpu;
}

}  // namespace

std::filesystem::path own_counter_groups() {
  const char* const config = std::getenv("XDG_CONFIG_HOME");
  const char* const home = std::getenv("HOME");
  const std::filesystem::path base = config && *config ? std::filesystem::path(config)
                                     : home            ? std::filesystem::path(home) / ".config"
                                                       : std::filesystem::path();
  return base.empty() ? base : base / "uotbench" / "counters";
}

CounterPlans counting_of(const Sweep& sweep, const Plan& cases, Crew& crew) {
  std::set<std::string> workers;
  for (const auto& group : cases.groups)
    for (const auto& member : group.cases) workers.insert(member.worker);
  const auto plan_of = [&](const std::vector<std::string>& words, const std::set<std::string>& whose,
                           const std::string& where) {
    std::vector<std::filesystem::path> folders{configs_folder() / "counters"};
    if (const auto own = own_counter_groups(); !own.empty()) folders.push_back(own);
    const CacheShapes caches = sweep.measure.caches.empty() ? cache_shapes(this_topology())
                                                            : parse_cache_shapes(sweep.measure.caches);
    return plan_counters(words, read_counter_groups(folders), cpu_of_this_machine(), caches, crew, whose,
                         where);
  };
  CounterPlans counting;
  if (!sweep.counters.empty()) counting.asked = plan_of(sweep.counters, workers, sweep.source + ": counters");
  if (sweep.json.contains("counters")) return counting;
  for (const auto& worker : workers)
    if (const auto& words = crew.manifest(worker).counters; !words.empty())
      counting.by_worker[worker] =
          plan_of(words, {worker}, fmt::format("worker {}: counters of its manifest", worker));
  return counting;
}

}  // namespace uotbench
