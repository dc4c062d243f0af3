#include "tools/uotbench/counter_plan.hpp"

#include <cstdlib>

#include "harness/host/cache_shapes.hpp"
#include "harness/host/machine.hpp"
#include "tools/uotbench/locations.hpp"

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

CounterPlan counter_plan(const Sweep& sweep, Crew& crew) {
  if (sweep.counters.empty()) return {};
  std::vector<std::filesystem::path> folders{configs_folder() / "counters"};
  if (const auto own = own_counter_groups(); !own.empty()) folders.push_back(own);
  const CacheShapes caches =
      sweep.measure.caches.empty() ? cache_shapes(this_topology()) : parse_cache_shapes(sweep.measure.caches);
  return plan_counters(sweep.counters, read_counter_groups(folders), cpu_of_this_machine(), caches, crew,
                       sweep.source + ": counters");
}

}  // namespace uotbench
