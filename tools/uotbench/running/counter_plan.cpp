#include "tools/uotbench/running/counter_plan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "harness/host/facts/machine.hpp"
#include "harness/host/facts/topology.hpp"
#include "harness/host/facts/usable.hpp"
#include "harness/sweep/counting/counting.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/counters.hpp"
#include "results/view/metrics.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/running/machine_store.hpp"
#include "tools/uotbench/running/machine_sweep.hpp"

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

namespace {

namespace fs = std::filesystem;

// One thread reads this much in some tens of milliseconds; a simulator takes a second or two.
constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;

/// A run file of this process's own, gone with it.
class Brief {
 public:
  Brief() : path_(fs::temp_directory_path() / fmt::format("uotbench-doctor-{}.jsonl", ::getpid())) {}
  ~Brief() {
    std::error_code gone;
    fs::remove(path_, gone);
  }
  Brief(const Brief&) = delete;
  Brief& operator=(const Brief&) = delete;
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

/// Four times the last cache: everything comes from memory, whatever an iteration left behind.
std::uint64_t elements() {
  const CacheShapes caches = cache_shapes(this_topology());
  const std::uint64_t last = std::max(caches.l2.bytes, caches.l3.bytes);
  return std::clamp<std::uint64_t>(4 * last, std::uint64_t{64} << 20, most_bytes) / sizeof(float);
}

/// What one iteration of a kernel that goes over its array once does to the caches.
std::optional<double> expected(const std::string& counter, const Work& work, double line) {
  using namespace counter_names;
  for (const char* misses : {l1_misses, l2_misses, l3_misses})
    if (counter == misses) return work.bytes_read / line;
  if (counter == dram_read) return work.bytes_read;
  if (counter == dram_written && work.bytes_written > 0) return work.bytes_written;
  return std::nullopt;
}

/// The groups of which this source counts something whose number is known.
std::vector<std::string> groups_of(const CounterGroups& groups, const std::string& source) {
  std::vector<std::string> names;
  for (const char* name : {"cache", "traffic"})
    if (const auto group = groups.find(name);
        group != groups.end() &&
        std::ranges::find(group->second.sources, source, &GroupSource::source) != group->second.sources.end())
      names.push_back(source + ":" + name);
  return names;
}

std::vector<CounterCheck> checks_of(const std::string& source, const CounterGroups& groups,
                                    WorkerPool& pool) {
  const auto counters = groups_of(groups, source);
  if (counters.empty()) return {};
  CaseGroup cases{.variants = {},
                  .workers = {},
                  .axes = {{.names = {"N"}, .tuples = {{elements()}}}},
                  .conditions = {},
                  .pointer = {}};
  for (const auto& kernel : ceiling_kernels(pool))
    if (kernel.measures->rate == "read" || kernel.measures->rate == "rmw")
      cases.variants.push_back(kernel.name);
  Sweep sweep;
  sweep.name = "doctor";
  sweep.measure.rounds = 0;
  sweep.counters = counters;
  sweep.cases.push_back(std::move(cases));
  const Brief brief;
  Execution what{.sweep = made_sweep(std::move(sweep), "uotbench doctor"),
                 .plan = {},
                 .output = brief.path(),
                 .force = true,
                 .quiet = true,
                 .with_ceilings = false};
  what.plan = make_plan(what.sweep, pool, {});
  const Executed done = execute(what, pool);
  if (done.interrupted) throw Interrupted{};
  const Json caches = done.run.header.caches.json();
  const double line = caches.is_object() ? caches["L1D"].value("line", 64.) : 64;
  std::vector<CounterCheck> checks;
  for (const auto& record : done.run.records) {
    if (!record.work || record.status != Status::ok)
      throw Error(fmt::format("doctor: {}: {}", record.id, record.reason.value_or(name_of(record.status))));
    for (const auto& [name, counter, as_read] : record.counters) {
      const auto known = expected(name, *record.work, line);
      if (known && counter)
        checks.push_back({.source = source,
                          .counter = name,
                          .variant = record.variant,
                          .expected = *known,
                          .counted = counter->value,
                          .reason = counter->reason});
    }
  }
  return checks;
}

/// Whether groups have it as a source, and not only for some of another's events.
bool is_named(const CounterGroups& groups, const std::string& source) {
  return std::ranges::any_of(groups, [&](const auto& group) {
    return std::ranges::find(group.second.sources, source, &GroupSource::source) !=
           group.second.sources.end();
  });
}

/// Those in the process of the worker that is timed by default, then those that are workers.
std::vector<SourceState> sources_of(WorkerPool& pool, const CounterGroups& groups) {
  std::vector<SourceState> states;
  const std::string worker = pool.default_worker("ceiling/*");
  for (const auto& one : pool.process(worker).ask(SourcesRequest{}, pool.context().timeout).sources)
    states.push_back({.name = one.name, .reason = one.reason.value_or(""), .mend = one.mend.value_or("")});
  for (const auto& manifest : pool.manifests())
    if (is_named(groups, manifest.counts))
      states.push_back({.name = manifest.counts, .reason = manifest.obstacle(), .mend = ""});
  return states;
}

}  // namespace

std::vector<SourceState> check_counters() {
  stop_on_signals();
  const RunContext context = context_on(usable_cpus(), 60);
  WorkerPool pool = make_pool({}, context);
  std::vector<fs::path> folders{configs_folder() / "counters"};
  if (const auto own = own_counter_groups(); !own.empty()) folders.push_back(own);
  const CounterGroups groups = read_counter_groups(folders);
  auto states = sources_of(pool, groups);
  for (auto& state : states)
    if (state.reason.empty()) state.checks = checks_of(state.name, groups, pool);
  return states;
}

Json json_of(const std::vector<SourceState>& states) {
  Json list = Json::array();
  for (const auto& state : states) {
    Json checks = Json::array();
    for (const auto& check : state.checks)
      checks.push_back({{"counter", check.counter},
                        {"variant", check.variant},
                        {"expected", check.expected},
                        {"counted", check.counted ? Json(*check.counted) : Json(nullptr)},
                        {"reason", check.counted ? Json(nullptr) : Json(check.reason)},
                        {"off", check.is_off()}});
    list.push_back({{"source", state.name},
                    {"reason", state.reason.empty() ? Json(nullptr) : Json(state.reason)},
                    {"mend", state.mend.empty() ? Json(nullptr) : Json(state.mend)},
                    {"checks", std::move(checks)}});
  }
  return list;
}

}  // namespace uotbench
