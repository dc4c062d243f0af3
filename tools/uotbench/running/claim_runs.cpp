#include "tools/uotbench/running/claim_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "harness/host/facts/machine.hpp"
#include "harness/host/facts/usable.hpp"
#include "harness/sweep/language/schema.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/execute.hpp"

namespace uotbench {
namespace {

Sweep sweep_for(const ClaimFile& file, const ClaimSweep& of, bool full) {
  const Json schema = read_strictly(configs_folder() / "sweep.schema.json");
  const bool other = full && !of.full.is_null();
  Json json = other ? of.full.json() : of.here.json();
  if (json.is_string()) {
    const auto path = find_sweep(json);
    return sweep_from(read_strictly(path), schema, path.filename());
  }
  // Runs are found by this name: those of other sizes are none of it.
  json["name"] = fmt::format("claims-{}-{}{}", file.name, of.name, other ? "-full" : "");
  return sweep_from(json, schema, fmt::format("{}.json: /sweeps/{}", file.name, of.name));
}

std::unique_ptr<Run> newest_run(const std::string& name) {
  for (const auto& path : runs_of(name)) try {
      return std::make_unique<Run>(read_run(path));
    } catch (const UsageError&) {
      // What is being written, or was cut off in its first line, is no run.
    }
  return nullptr;
}

std::unique_ptr<Run> measured_run(const Sweep& sweep, const ClaimFile& file, bool& interrupted) {
  const RunContext context = context_on(usable_cpus(), sweep.measure.case_timeout);
  WorkerPool pool = make_pool({}, context);
  Execution what{.sweep = sweep,
                 .plan = make_plan(sweep, pool, {.skip_impossible = true}),
                 .resumable = false,
                 .command = fmt::format("uotbench claims {} --run", file.name)};
  for (const auto& path : runs_of(sweep.name)) {
    auto run = std::make_unique<Run>(read_run(path));
    if (run->plan() != what.plan.ids()) continue;
    if (run->unfinished.empty()) return run;
    what.resume = true;
    what.output = path.string();
    break;
  }
  fmt::print(stderr, "{}: {} cases\n", sweep.name, what.plan.size());
  Executed done = execute(what, pool);
  interrupted = done.interrupted;
  return std::make_unique<Run>(std::move(done.run));
}

}  // namespace

ClaimFile read_claims(const std::string& name) {
  const auto path = find_claims(name);
  const Json json = read_strictly(path);
  validate(json, read_strictly(configs_folder() / "claims.schema.json"), path.filename());
  return claims_from(json, path.filename());
}

std::string missing_for(const PrintedClaim& claim) {
  const auto cpus = static_cast<int>(usable_cpus().size());
  const double memory = available_memory().bytes;
  if (claim.needs.cores > cpus)
    return fmt::format("it needs {} cores, and this machine has {}", claim.needs.cores, cpus);
  if (claim.needs.ranks > cpus)
    return fmt::format("it needs {} processes on a core each, and this machine has {}", claim.needs.ranks,
                       cpus);
  if (claim.needs.memory > memory)
    return fmt::format("it needs {}, and this machine has {}", format_bytes(claim.needs.memory),
                       format_bytes(memory));
  return "";
}

bool lacks_gpu(const PrintedClaim& claim) { return !claim.needs.gpu.empty() && !has_gpu(); }

ClaimRuns runs_for(const ClaimFile& file, const std::vector<const PrintedClaim*>& claims, bool full,
                   bool measure) {
  struct Wanted {
    const ClaimSweep& of;
    Sweep sweep;
    bool possible;  ///< without a GPU that is not there
  };
  std::vector<Wanted> all;  // a wrong one is an error before the first is measured, which may take hours
  for (const auto& sweep : file.sweeps) {
    bool wanted = false, possible = false;
    for (const auto* claim : claims) {
      if (claim->sweep != sweep.name || !claim->cannot.empty() || !missing_for(*claim).empty()) continue;
      wanted = true;
      possible = possible || !lacks_gpu(*claim);
    }
    if (wanted) all.push_back({sweep, sweep_for(file, sweep, full), possible});
  }
  ClaimRuns runs;
  if (measure) stop_on_signals();
  for (const auto& [of, sweep, possible] : all) {
    if (runs.interrupted) break;
    auto run = measure && possible ? measured_run(sweep, file, runs.interrupted) : newest_run(sweep.name);
    if (possible && (!run || !run->unfinished.empty())) {
      runs.missing.push_back(sweep.name);
      runs.minutes += of.minutes;
    }
    if (run) runs.by_sweep[of.name] = std::move(run);
  }
  return runs;
}

}  // namespace uotbench
