#include "tools/uotbench/running/last_level.hpp"

#include <fmt/format.h>

#include "harness/host/facts/machine.hpp"
#include "harness/sweep/language/strict_json.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/cache_probe.hpp"
#include "tools/uotbench/running/counter_plan.hpp"
#include "tools/uotbench/running/machine_store.hpp"

namespace uotbench {

Json measured_last_level(const Json& machine, const LastLevelOptions& options, Crew& crew) {
  const auto probe = cache_probe(machine, crew.context().memory.bytes, options.any, options.quick);
  if (!probe) return nullptr;
  if (!options.quiet)
    fmt::print(stderr, "L{}: {}; measuring what it holds\n", probe->cache.level,
               probe->cache.why.empty() ? "as asked for" : probe->cache.why);
  Json found;
  for (const auto kernel : {ProbeKernel::chase, ProbeKernel::read}) {
    Beside fresh(stored_probe_path(machine.at("fingerprint")));
    Execution what{.sweep = sweep_from(probe_sweep(*probe, kernel, options.workers),
                                       read_strictly(configs_folder() / "sweep.schema.json"), "caches"),
                   .plan = {},
                   .output = fresh.path().string(),
                   .force = true,
                   .quiet = options.quiet,
                   .resumable = false,
                   .prove = false,  // its sets are of hundreds of megabytes, and it has seconds
                   .with_ceilings = false};
    what.plan = make_plan(what.sweep, crew, {});
    const Executed done = execute(what, crew);
    if (done.interrupted) return nullptr;
    found = probed_cache(*probe, done.run);
    fresh.take_place();
    if (!found.at("bytes").is_null()) break;
  }
  return Json::array({found});
}

void measure_simulated_last_level(const Execution& what, Crew& crew) {
  const bool simulates_these = what.sweep.measure.caches.empty() && !what.resume;
  if (what.verify_only || !what.missing_ceilings || !simulates_these) return;
  const Json machine = machine_facts();
  if (!machine.contains("doubtful_caches") || !stored_ceilings(machine).probed_caches.is_null()) return;
  if (!simulates_last_level(counting_of(what.sweep, what.plan, crew), crew)) return;
  measured_last_level(machine, {.quick = true, .quiet = what.quiet}, crew);
}

}  // namespace uotbench
