#include "tools/uotbench/running/counter_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "harness/host/facts/machine.hpp"
#include "harness/host/facts/topology.hpp"
#include "harness/sweep/counting/counting.hpp"
#include "results/base/json.hpp"
#include "results/view/metrics.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/machine_store.hpp"

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

/// What is asked for, with what the worker's manifest says of it in the place of auto; each once.
std::vector<std::string> words_of_worker(const Manifest& worker, const std::vector<std::string>& asked) {
  const auto& its = worker.automatic.empty() ? worker.counters : worker.automatic;
  if (its.empty() || std::ranges::find(asked, "auto") == asked.end()) return asked;
  std::vector<std::string> words;
  const auto add = [&](const std::string& word) {
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  };
  for (const auto& word : asked)
    if (word == "auto")
      std::ranges::for_each(its, add);
    else
      add(word);
  return words;
}

/// This machine's caches; a doubtful one as `uotbench machine` measured it.
CacheShapes shapes_here() {
  const CacheShapes shapes = cache_shapes(this_topology());
  const MachineFacts machine = machine_facts();
  if (machine.doubtful_caches().is_null()) return shapes;
  return with_measured_sizes(
      shapes, Caches(machine.with_probed_caches(stored_ceilings(machine).probed_caches.json())));
}

}  // namespace

CacheShapes with_measured_sizes(CacheShapes shapes, const Caches& caches) {
  for (const auto& level : caches.levels()) {
    if (!level.is_shared_with_guests()) continue;
    CacheShape& shape = level.name == "L3" ? shapes.l3 : level.name == "L2" ? shapes.l2 : shapes.l1;
    const std::uint64_t row = static_cast<std::uint64_t>(shape.ways) * static_cast<std::uint64_t>(shape.line);
    if (row > 0)
      shape.bytes = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(level.bytes) / row) * row;
  }
  return shapes;
}

bool simulates_last_level(const CounterPlans& counters, const WorkerPool& pool) {
  const auto of_last_level = [](const GroupCounter& counter) {
    return counter.name.starts_with("L3.") || counter.name.starts_with("DRAM.");
  };
  const auto simulates = [&](const CounterRequest& request) {
    return request.group && std::ranges::any_of(request.group->counters, of_last_level) &&
           std::ranges::any_of(request.from, [&](const GroupSource* from) {
             return source_named(pool.manifests(), from->source) != nullptr;
           });
  };
  return std::ranges::any_of(counters.asked.requests, simulates) ||
         std::ranges::any_of(counters.by_worker, [&](const auto& its) {
           return std::ranges::any_of(its.second.requests, simulates);
         });
}

std::filesystem::path own_counter_groups() {
  const char* const config = std::getenv("XDG_CONFIG_HOME");
  const char* const home = std::getenv("HOME");
  const std::filesystem::path base = config && *config ? std::filesystem::path(config)
                                     : home            ? std::filesystem::path(home) / ".config"
                                                       : std::filesystem::path();
  return base.empty() ? base : base / "uotbench" / "counters";
}

CounterPlans counting_of(const Sweep& sweep, const Plan& cases, WorkerPool& pool) {
  std::set<std::string> workers;
  for (const auto& group : cases.groups)
    for (const auto& member : group.cases) workers.insert(member.worker);
  std::vector<std::filesystem::path> folders{configs_folder() / "counters"};
  if (const auto own = own_counter_groups(); !own.empty()) folders.push_back(own);
  const auto plan_of = [&](const std::vector<std::string>& words, const std::set<std::string>& whose,
                           const std::string& where) {
    const CacheShapes caches =
        sweep.measure.caches.empty() ? shapes_here() : parse_cache_shapes(sweep.measure.caches);
    return plan_counters(words, read_counter_groups(folders), cpu_of_this_machine(), caches, pool, whose,
                         where);
  };
  CounterPlans counting;
  Json of_sweep = Json::array();
  if (const Json& metrics = sweep.document.metrics(); !metrics.is_null()) {
    const std::string where = sweep.source + ": /metrics";
    of_sweep = metrics_from(metrics, where);
    require_metrics(of_sweep, read_counter_groups(folders), where);
  }
  for (Json& metric : reach_metrics(sweep.measure.reach)) of_sweep.push_back(std::move(metric));
  counting.of_sweep = std::move(of_sweep);
  if (!sweep.counters.empty()) {
    // What auto stands for is another thing where kernels run on a GPU.
    std::set<std::string> others;
    for (const auto& worker : workers)
      if (const auto words = words_of_worker(pool.manifest(worker), sweep.counters); words != sweep.counters)
        counting.by_worker[worker] = plan_of(words, {worker}, sweep.source + ": counters");
      else
        others.insert(worker);
    if (!others.empty() || counting.by_worker.empty())
      counting.asked = plan_of(sweep.counters, others, sweep.source + ": counters");
  }
  if (sweep.document.names_counters()) return counting;
  for (const auto& worker : workers)
    if (const auto& words = pool.manifest(worker).counters; !words.empty())
      counting.by_worker[worker] =
          plan_of(words, {worker}, fmt::format("worker {}: counters of its manifest", worker));
  return counting;
}

}  // namespace uotbench
