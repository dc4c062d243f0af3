#include "tools/uotbench/running/last_level.hpp"

#include <fmt/format.h>

#include <chrono>

#include "harness/host/facts/machine.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "tools/uotbench/running/cache_probe.hpp"
#include "tools/uotbench/running/counter_plan.hpp"
#include "tools/uotbench/running/machine_store.hpp"
#include "tools/uotbench/running/stop.hpp"

namespace uotbench {

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
