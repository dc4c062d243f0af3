#include "harness/worker/timing/steps.hpp"

#include <fmt/format.h>

#include "harness/protocol/settings.hpp"
#include "results/base/error.hpp"

namespace uotbench {

PhaseCategory category_of(const Task& task) { return PhaseCategory(task.variant.spec().name); }

Solved solve(const Task& task, int iterations) {
  const Phase phase(Stage::verify, category_of(task));
  enter_platform(task.point);
  Arrays inputs(task.inputs, false), outputs(task.outputs, true);
  const auto instance = task.variant.load(task.point, inputs, task.team);
  instance->begin();
  const std::int64_t steps = task.variant.steps(task.point);
  const Unit unit = task.variant.unit(task.point);
  if (unit == Unit::solve) {
    instance->timed();
  } else {
    const int outside = task.variant.spec().outside;
    if (iterations % steps != 0)
      throw Error(fmt::format("{} makes {} iterations at a time, of which {} is no multiple",
                              task.variant.spec().name, steps, iterations));
    for (std::int64_t done = outside; done < iterations; done += steps) instance->iterate();
  }
  Facts facts = instance->facts();
  const auto took = instance->iterations();
  std::optional<Work> work;
  if (unit != Unit::part) work = instance->work();  // iterate() is no part
  if (work && unit == Unit::iteration) work = *work * (1. / iterations);
  return {.written = instance->finish(outputs),
          .iterations = took,
          .work = std::move(work),
          .facts = std::move(facts)};
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
  policy.steps = task.variant.steps(task.point);
  policy.phases = task.variant.spec().phases;
  policy.cold = settings_of(task.point).cold;
  Facts facts = instance->facts();
  Measured measured = measure(*instance, policy, progress);
  return {.measured = std::move(measured),
          .load_seconds = load_seconds,
          .iterations = instance->iterations(),
          .facts = std::move(facts)};
}

}  // namespace uotbench
