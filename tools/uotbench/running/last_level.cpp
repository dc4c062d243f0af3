#include "tools/uotbench/running/last_level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "harness/host/facts/machine.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "roofline/model/caches.hpp"
#include "tools/uotbench/running/counter_plan.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/running/machine_store.hpp"

namespace uotbench {
namespace {

constexpr double line_bytes = 64;

/// What sets a probe tries: making and judging the largest ones takes most of its time.
struct ProbedSets {
  double factor, largest;
};
const ProbedSets thorough{.factor = std::sqrt(2.), .largest = 512 << 20};
// Three sets span the factor of 2.8 that makes a plateau.
constexpr ProbedSets quickly{.factor = 1.7, .largest = 300 << 20};

/// Whole lines, of both kernels: read has elements of 4 bytes in vectors of 64.
std::int64_t whole_lines(double bytes) {
  return std::max<std::int64_t>(2, std::llround(bytes / line_bytes)) * static_cast<std::int64_t>(line_bytes);
}

double best_sample(const Timing& time) {
  double best = INFINITY;
  for (const auto& process : time.processes)
    for (const double sample : process.samples) best = std::min(best, sample);
  return best;
}

/// Of a case: loads that waited, or lines read.
double loads_in(const Work& work) {
  return work.operations.empty() ? work.bytes() / line_bytes : work.operations.front().count;
}

}  // namespace

std::optional<CacheProbe> cache_probe(const MachineFacts& machine, double memory, bool any, bool quick) {
  const ProbedSets& tried = quick ? quickly : thorough;
  const Caches caches(machine);
  const auto& levels = caches.levels();
  if (levels.size() < 2) return std::nullopt;
  const CacheLevel& last = levels.back();
  CacheProbe probe{.cache = {.level = std::stoi(last.name.substr(1)), .bytes = last.told, .why = ""},
                   .inner = levels[levels.size() - 2].bytes,
                   .sets = {}};
  const auto doubtful = doubtful_caches(machine.hashed());
  const auto found = std::ranges::find(doubtful, probe.cache.level, &DoubtfulCache::level);
  if (found != doubtful.end())
    probe.cache = *found;
  else if (!any)
    return std::nullopt;
  const double most = std::min({2 * last.told, tried.largest, memory / 4});
  for (double set = probe.inner / 2; set <= most * 1.01; set *= tried.factor)
    probe.sets.push_back(whole_lines(set));
  if (probe.sets.size() < 2) return std::nullopt;
  return probe;
}

Sweep probe_sweep(const CacheProbe& probe, ProbeKernel kernel, const std::vector<std::string>& workers) {
  const bool chase = kernel == ProbeKernel::chase;
  AxisValues sizes{.names = {chase ? "set" : "N"}, .tuples = {}};
  for (const auto set : probe.sets) sizes.tuples.push_back({chase ? set : set / 4});
  CaseGroup cases{.variants = {chase ? "ceiling/chase" : "ceiling/read"},
                  .workers = {},
                  .axes = {},
                  .conditions = {},
                  .pointer = {}};
  if (chase) cases.axes.push_back({.names = {"N"}, .tuples = {{1}}});
  cases.axes.push_back(std::move(sizes));
  Sweep sweep;
  sweep.name = "caches";
  sweep.measure = {.rounds = 1, .min_samples = 5, .max_noise = 0.02, .max_time = 0.05};
  sweep.workers = workers;
  sweep.cases.push_back(std::move(cases));
  return made_sweep(std::move(sweep), "uotbench machine", "how much the last level of cache holds");
}

std::vector<LoadTime> load_times(const Run& run) {
  std::vector<LoadTime> times;
  for (const auto& record : run.records) {
    if (record.status != Status::ok || !record.time || !record.work) continue;
    const double loads = loads_in(*record.work), seconds = best_sample(*record.time);
    if (record.work->working_set && loads > 0 && std::isfinite(seconds))
      times.push_back({*record.work->working_set, seconds / loads});
  }
  return times;
}

Json probed_cache(const CacheProbe& probe, const Run& run) {
  const auto times = load_times(run);
  const auto capacity = last_capacity_beyond(steps_of(times), probe.inner);
  Json loads = Json::array();
  double largest = probe.inner;
  for (const auto& at : times) {
    loads.push_back({at.bytes, at.seconds});
    largest = std::max(largest, at.bytes);
  }
  std::string source;
  if (!run.records.empty())
    source = fmt::format("{}@{}", run.records.front().variant, run.records.front().worker);
  return {{"level", probe.cache.level},
          {"told", probe.cache.bytes},
          {"doubt", probe.cache.why.empty() ? Json(nullptr) : Json(probe.cache.why)},
          {"bytes", capacity ? Json(*capacity) : Json(nullptr)},
          {"reason", capacity ? Json(nullptr)
                              : Json(fmt::format("no step between {} and {}", format_bytes(probe.inner),
                                                 format_bytes(largest)))},
          {"source", source},
          {"made", run.header.started.empty() ? Json(nullptr) : Json(run.header.started)},
          {"loads", std::move(loads)}};
}

Json measured_last_level(const MachineFacts& machine, const LastLevelOptions& options, WorkerPool& pool) {
  const auto probe = cache_probe(machine, pool.context().memory.bytes, options.any, options.quick);
  if (!probe) return nullptr;
  if (!options.quiet)
    fmt::print(stderr, "L{}: {}; measuring what it holds\n", probe->cache.level,
               probe->cache.why.empty() ? "as asked for" : probe->cache.why);
  const auto started = std::chrono::steady_clock::now();
  Json found;
  for (const auto kernel : {ProbeKernel::chase, ProbeKernel::read}) {
    ReplacementFile fresh(stored_probe_path(machine.fingerprint()));
    Execution what{.sweep = probe_sweep(*probe, kernel, options.workers),
                   .plan = {},
                   .stop_after = options.seconds,
                   .output = fresh.path().string(),
                   .force = true,
                   .quiet = options.quiet,
                   .resumable = false,
                   .prove = false,  // its sets are of hundreds of megabytes, and it has seconds
                   .with_ceilings = false,
                   .started = started};
    what.plan = make_plan(what.sweep, pool, {});
    const Executed done = execute(what, pool);
    if (done.interrupted) {
      if (!options.quiet && !stop_now && !stop_soon)
        fmt::print(stderr, "not measured within {}; uotbench machine takes the time that it needs\n",
                   format_seconds(*options.seconds));
      return nullptr;
    }
    found = probed_cache(*probe, done.run);
    fresh.take_place();
    if (!found.at("bytes").is_null()) break;
  }
  return Json::array({found});
}

void measure_simulated_last_level(const Execution& what, WorkerPool& pool) {
  const bool simulates_these = what.sweep.measure.caches.empty() && !what.resume;
  if (what.verify_only || !what.missing_ceilings || !simulates_these) return;
  const MachineFacts machine = machine_facts();
  if (machine.doubtful_caches().is_null() || !stored_ceilings(machine).probed_caches.is_null()) return;
  if (!simulates_last_level(counting_of(what.sweep, what.plan, pool), pool)) return;
  constexpr double seconds = 10;
  measured_last_level(machine, {.quick = true, .quiet = what.quiet, .seconds = seconds}, pool);
}

}  // namespace uotbench
