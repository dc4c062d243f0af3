#include "harness/worker/timing/steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/worker/platform.hpp"
#include "harness/worker/timing/measure.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

constexpr std::int64_t calls_timed_apart = 64;

}  // namespace

Lifetime::Lifetime(Instance& instance, std::int64_t steps) : instance_(instance), most_(instance.lifetime()) {
  if (!most_) return;
  if (*most_ < steps)
    throw Error(fmt::format("the kernel says its lifetime is {} iterations{}", *most_,
                            steps > 1 ? fmt::format(", and makes {} at a time", steps) : ""));
  *most_ /= steps;
}

void Lifetime::before(std::int64_t calls) {
  if (!holds(calls)) {
    instance_.restart();
    instance_.begin();
    done_ = 0;
  }
  done_ += calls;
}

PhaseCategory category_of(const Variant& variant) { return PhaseCategory(variant.spec().name); }

std::int64_t calls_for(const Variant& variant, const Point& point, std::int64_t iterations) {
  const std::int64_t steps = variant.steps(point);
  if (iterations % steps != 0)
    throw Error(fmt::format("{} makes {} iterations at a time, of which {} is no multiple",
                            variant.spec().name, steps, iterations));
  const std::int64_t outside = variant.unit(point) == Unit::solve ? 0 : variant.spec().outside;
  return std::max<std::int64_t>(0, iterations - outside) / steps;
}

std::vector<double> first_calls(Instance& instance, std::int64_t steps, std::int64_t calls, bool apart) {
  Lifetime lifetime(instance, steps);
  const std::int64_t timed = apart ? std::min(calls, calls_timed_apart) : 0;
  std::vector<double> seconds;
  for (std::int64_t call = 0; call < calls; ++call) {
    lifetime.before(1);
    const double start = call < timed ? monotonic() : 0;
    instance.iterate();
    if (call < timed) seconds.push_back(monotonic() - start);
  }
  return seconds;
}

Solved solve(const Task& task, int iterations) {
  const Phase phase(Stage::verify, category_of(task.variant));
  enter_platform(task.point);
  Arrays inputs(task.inputs, false), outputs(task.outputs, true);
  const auto instance = task.variant.load(task.point, inputs, task.team);
  instance->begin();
  const Unit unit = task.variant.unit(task.point);
  std::vector<double> seconds;
  if (unit == Unit::solve)
    instance->timed();
  else
    seconds = first_calls(*instance, task.variant.steps(task.point),
                          calls_for(task.variant, task.point, iterations), !platform());
  Facts facts = instance->facts();
  const auto took = instance->iterations();
  std::optional<Work> work;
  if (unit != Unit::part) work = instance->work();  // iterate() is no part
  if (work && unit == Unit::iteration) work = *work * (1. / iterations);
  return {.written = instance->finish(outputs),
          .iterations = took,
          .work = std::move(work),
          .facts = std::move(facts),
          .seconds = std::move(seconds)};
}

}  // namespace uotbench
