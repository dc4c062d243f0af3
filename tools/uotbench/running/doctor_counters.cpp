#include "tools/uotbench/running/doctor_counters.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "harness/host/facts/usable.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/counters.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/counter_plan.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/running/machine_sweep.hpp"
#include "tools/uotbench/running/stop.hpp"

namespace uotbench {
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
