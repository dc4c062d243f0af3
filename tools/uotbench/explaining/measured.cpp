#include "tools/uotbench/explaining/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/axes/settings.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/running/own_command.hpp"
#include "tools/uotbench/running/stop.hpp"

namespace uotbench {
namespace {

constexpr const char* sweep_name = "explain";

/// Instructions are followed on one thread.
void add_one_thread(Sweep& sweep) {
  for (auto& group : sweep.cases)
    for (auto& axis : group.axes) {
      if (axis.names != std::vector<std::string>{setting_axis::threads}) continue;
      if (const std::vector<Value> one{1}; std::ranges::find(axis.tuples, one) == axis.tuples.end())
        axis.tuples.push_back(one);
    }
  Json json = sweep.document.json();
  for (auto& entry : json.at("cases")) {
    if (!entry.contains("axes") || !entry["axes"].contains(setting_axis::threads)) continue;
    Json& threads = entry["axes"][setting_axis::threads];
    if (!threads.is_array()) threads = Json::array({threads});
    if (std::ranges::find(threads, Json(1)) == threads.end()) threads.push_back(1);
  }
  sweep.document = SweepDocument(std::move(json));
}

/// Whether the run was made by the builds that there are now.
bool is_of_these_builds(const Run& run, const Plan& plan, WorkerPool& pool) {
  std::set<std::string> names;
  for (const auto& group : plan.groups)
    for (const auto& member : group.cases) names.insert(member.worker);
  return std::ranges::all_of(names, [&](const std::string& name) {
    const WorkerBuild* const then = run.newest_workers().find(name);
    return then && then->is_known_build() && then->is_same_build(pool.worker_info(name).build.json());
  });
}

std::optional<Run> stored_run(const Plan& plan, WorkerPool& pool) {
  for (const auto& path : runs_of(sweep_name)) {
    if (plan_in_force(path) != plan.ids()) continue;
    Run run = read_run(path);
    if (run.unfinished.empty() && is_of_these_builds(run, plan, pool)) return run;
  }
  return std::nullopt;
}

}  // namespace

MeasuredCases measured_cases(RunFlags flags, bool again) {
  if (flags.counters.empty()) flags.counters = explained_counters;
  Execution what{.sweep = read_sweep(flags),
                 .plan = {},
                 .output = flags.output,
                 .force = flags.force,
                 .quiet = flags.quiet,
                 .missing_ceilings = true,
                 .command = own_command_of_any_file()};
  what.sweep.name = sweep_name;
  Json json = what.sweep.document.json();
  json["name"] = sweep_name;
  what.sweep.document = SweepDocument(std::move(json));
  const RunContext context = context_of(flags, what.sweep);
  stop_on_signals();
  WorkerPool pool = make_pool(flags.workers, context);
  Selection selection = flags.selection;
  if (what.sweep.cases.empty()) add_named_cases(what.sweep, selection, pool);
  const auto asked = make_plan(what.sweep, pool, selection).ids();
  add_one_thread(what.sweep);
  what.plan = make_plan(what.sweep, pool, selection);
  if (!again && !what.output)
    if (auto stored = stored_run(what.plan, pool)) return {std::move(*stored), asked};
  Executed done = execute(what, pool);
  if (done.interrupted) throw Interrupted();
  return {std::move(done.run), asked};
}

}  // namespace uotbench
