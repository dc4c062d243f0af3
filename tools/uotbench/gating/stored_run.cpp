// uotbench gate --baseline-run: against what was stored, by us or by others.
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/gate/decide/stored.hpp"
#include "tools/uotbench/gating/explained_change.hpp"
#include "tools/uotbench/gating/run.hpp"
#include "tools/uotbench/running/execute.hpp"

namespace uotbench {

GateReport gate_stored(const GateFlags& flags, const GateOptions& options,
                       std::chrono::steady_clock::time_point started) {
  const Run stored = read_run(find_baseline(flags.baseline_run));
  std::error_code missing;
  if (flags.run.output && std::filesystem::equivalent(*flags.run.output, stored.path, missing))
    throw UsageError("--output: " + *flags.run.output + " is the run that is compared with; give another");
  const GateSource source = candidate_source(flags);
  Execution what{.sweep = gate_sweep(flags, source),
                 .plan = {},
                 .output = flags.run.output,
                 .force = flags.run.force,
                 .quiet = true,
                 .started = started};
  const RunContext context = context_of(flags.run, what.sweep);
  WorkerPool pool(source.manifests, context);
  what.plan = make_plan(what.sweep, pool, flags.run.selection);
  const Executed now = execute(what, pool);
  GateReport report = gate_against(stored, now.run, options.rules);
  doubt_beyond_ceilings(report, now.run);
  report.interrupted = now.interrupted;
  Json settings = report.options.json();
  settings["strict"] = flags.strict;
  settings["allow_missing"] = flags.allow_missing;
  report.options = std::move(settings);
  report.elapsed = what.elapsed();
  return report;
}

}  // namespace uotbench
