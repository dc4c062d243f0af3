#include "harness/worker/timing/steps.hpp"

#include "harness/protocol/settings.hpp"

namespace uotbench {

PhaseCategory category_of(const Task& task) { return PhaseCategory(task.variant.spec().name); }

Solved solve(const Task& task, int iterations) {
  const Phase phase(Stage::verify, category_of(task));
  enter_platform(task.point);
  Arrays inputs(task.inputs, false), outputs(task.outputs, true);
  const auto instance = task.variant.load(task.point, inputs, task.team);
  instance->begin();
  if (task.variant.unit(task.point) == Unit::solve)
    instance->timed();
  else
    for (int done = task.variant.spec().outside; done < iterations; ++done) instance->iterate();
  Facts facts = instance->facts();
  const auto took = instance->iterations();
  return {.written = instance->finish(outputs), .iterations = took, .facts = std::move(facts)};
}

Timed time_iterations(const Task& task, SamplingPolicy policy,
                      const std::function<void(const Measured&)>& progress) {
  enter_platform(task.point);
  const std::unique_ptr<DeviceClock> clock = platform() ? platform()->clock() : nullptr;
  policy.clock = clock.get();
  Arrays inputs(task.inputs, false);
  const double start = monotonic();
  std::unique_ptr<Instance> instance;
  {
    const Phase phase(Stage::prepare, category_of(task));
    instance = task.variant.load(task.point, inputs, task.team);
    instance->begin();
  }
  const double load_seconds = monotonic() - start;
  policy.category = category_of(task);
  policy.period = task.variant.spec().period;
  policy.cold = settings_of(task.point).cold;
  Facts facts = instance->facts();
  Measured measured = measure(*instance, policy, progress);
  return {.measured = std::move(measured),
          .load_seconds = load_seconds,
          .iterations = instance->iterations(),
          .facts = std::move(facts)};
}

}  // namespace uotbench
