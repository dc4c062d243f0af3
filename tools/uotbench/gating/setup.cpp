#include <fmt/format.h>

#include <utility>

#include "harness/sweep/plan/named_cases.hpp"
#include "results/base/error.hpp"
#include "results/record/arm.hpp"
#include "tools/uotbench/gating/run.hpp"
#include "tools/uotbench/running/execute.hpp"

namespace uotbench {
namespace {

std::vector<Arm> arms_of(const GateSources& sources, const StagedPrograms& staged, bool against_itself,
                         std::vector<std::string>& notes) {
  const auto copies = staged.copies(sources.baseline.manifests, notes);
  std::vector<Arm> arms{{gate_arm::baseline, "A", sources.baseline.manifests},
                        {gate_arm::candidate, "B", against_itself ? copies : sources.candidate.manifests},
                        {gate_arm::control, "A'", copies}};
  make_equally_long({&arms[0], &arms[1], &arms[2]});
  return arms;
}

GateArm side_of(const GateSource& source) {
  return {.about = source.about,
          .build = {},
          .commit = source.built ? source.built->commit : "",
          .why = source.why};
}

/// --case without a sweep or variants: the id says everything, to the build that has the case. Throws
/// UsageError where neither has.
void add_named_cases(Sweep& sweep, const std::vector<std::string>& ids, WorkerPool& baseline,
                     WorkerPool& candidate) {
  for (const auto& id : ids) {
    NamedCases named = named_cases({id}, candidate);
    const auto why = named.impossible;
    if (!why.empty()) named = named_cases({id}, baseline);
    if (named.entries.empty()) throw UsageError(fmt::format("--case {}: {}", id, why.front().second));
    add_cases(sweep, {named.entries.front()});
  }
}

GatePlan planned(Sweep& sweep, Selection selection, WorkerPool& baseline, WorkerPool& candidate) {
  if (sweep.cases.empty()) {
    add_named_cases(sweep, selection.cases, baseline, candidate);
    selection.cases.clear();  // an id may be written in another way
  }
  return plan_gate(sweep, baseline, candidate, selection);
}

/// What is asked for and needs times, where the sweep wants none.
void require_times(const GateFlags& flags, const Sweep& sweep) {
  if (sweep.measure.rounds > 0) return;
  for (const auto& [given, flag] : {std::pair(flags.self_check, "--self-check"),
                                    {flags.plan, "--plan"},
                                    {!flags.inject_slowdown.empty(), "--inject-slowdown"}})
    if (given)
      throw UsageError(
          fmt::format("{} is about times, and sweep {} times nothing (\"rounds\": 0): give another "
                      "--sweep, or leave {} out",
                      flag, sweep.name, flag));
}

}  // namespace

Sweep gate_sweep(const GateFlags& flags, const GateSource& source) {
  RunFlags run = flags.run;
  if (run.sweep.empty() && run.variants.empty() && run.selection.cases.empty()) run.sweep = "gate.json";
  if (source.worker) run.workers = {*source.worker};
  if (flags.self_check) run.counters = "none";
  return read_sweep(run);
}

GateSetup::GateSetup(const GateFlags& flags, GateSources sources)
    : builds_{sources.baseline.built, sources.candidate.built},
      notes(std::move(sources.notes)),
      accepted(std::move(sources.accepted)),
      commits(std::move(sources.commits)),
      sides{side_of(sources.baseline), side_of(sources.candidate)},
      arms(arms_of(sources, staged_, flags.self_check || flags.plan, notes)),
      sweep(gate_sweep(flags, sources.baseline)),
      context(context_of(flags.run, sweep)),
      baseline_pool(arms[0].manifests, context),
      candidate_pool(arms[1].manifests, context),
      plan(planned(sweep, flags.run.selection, baseline_pool, candidate_pool)) {
  require_times(flags, sweep);
}

std::vector<AbCase> GateSetup::timed() const {
  std::vector<AbCase> cases;
  if (counts_alone()) return cases;
  for (const auto& group : plan.baseline.groups)
    for (const auto& member : group.cases)
      if (baseline_pool.manifest(member.worker).does(step::time) &&
          candidate_pool.manifest(member.worker).does(step::time) && !member.decided)
        cases.push_back({&group, &member});
  return cases;
}

}  // namespace uotbench
