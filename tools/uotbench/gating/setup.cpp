#include <fmt/format.h>

#include "harness/host/facts/cpus.hpp"
#include "harness/host/facts/memory.hpp"
#include "results/base/error.hpp"
#include "tools/uotbench/gating/run.hpp"
#include "tools/uotbench/running/stop.hpp"

namespace uotbench {
namespace {

std::vector<Arm> arms_of(const GateSources& sources, const StagedPrograms& staged, bool against_itself,
                         std::vector<std::string>& notes) {
  const auto copies = staged.copies(sources.baseline.manifests, notes);
  std::vector<Arm> arms{{"baseline", "A", sources.baseline.manifests},
                        {"candidate", "B", against_itself ? copies : sources.candidate.manifests},
                        {"control", "A'", copies}};
  make_equally_long({&arms[0], &arms[1], &arms[2]});
  return arms;
}

Crew crew_of(const Arm& arm, const std::vector<int>& cpus, const Limits& limits, double timeout) {
  return Crew(arm.manifests,
              {.cpus = cpus,
               .memory = limits.memory,
               .memory_limited_by = limits.memory_limited_by,
               .stop = &stop_now,
               .on_text = {}},
              timeout);
}

Limits limits_of(const std::vector<int>& cpus) {
  const Memory memory = available_memory();
  return {cpus.size(), memory.bytes, memory.limited_by};
}

}  // namespace

Sweep gate_sweep(const GateFlags& flags, const GateSource& source) {
  RunFlags run = flags.run;
  if (run.sweep.empty() && run.variants.empty()) run.sweep = "gate.json";
  if (source.worker) run.workers = {*source.worker};
  if (flags.self_check) run.counters = "none";
  return read_sweep(run);
}

GateSetup::GateSetup(const GateFlags& flags, GateSources sources)
    : builds_{sources.baseline.built, sources.candidate.built},
      notes(std::move(sources.notes)),
      accepted(std::move(sources.accepted)),
      about{sources.baseline.about, sources.candidate.about},
      arms(arms_of(sources, staged_, flags.self_check || flags.plan, notes)),
      cpus(chosen_cpus(flags.run)),
      limits(limits_of(cpus)),
      sweep(gate_sweep(flags, sources.baseline)),
      baseline_crew(crew_of(arms[0], cpus, limits, sweep.measure.case_timeout)),
      candidate_crew(crew_of(arms[1], cpus, limits, sweep.measure.case_timeout)),
      plan(plan_gate(sweep, baseline_crew, candidate_crew, flags.run.selection, limits)) {}

std::vector<SittingCase> GateSetup::timed() const {
  std::vector<SittingCase> cases;
  for (const auto& group : plan.baseline.groups)
    for (const auto& member : group.cases)
      if (baseline_crew.manifest(member.worker).does(step::time) &&
          candidate_crew.manifest(member.worker).does(step::time) && !member.decided)
        cases.push_back({&group, &member});
  return cases;
}

SittingOptions GateSetup::sitting_options(const GateOptions& options, Progress& progress) const {
  return {.cpus = cpus,
          .spread_cpus = spread_out(cpus),
          .case_timeout = sweep.measure.case_timeout,
          .memory = limits.memory,
          .slowdown = options.slowdown,
          .seed = options.seed,
          .on_process = [&](const std::string& id, const std::string& what) { progress.doing(id, what); },
          .on_text = [&](const std::string& id, std::string_view line) { progress.text(id, line); }};
}

}  // namespace uotbench
