#include "harness/worker/timing/timed_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "harness/protocol/point_json.hpp"
#include "harness/worker/phases.hpp"
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

double core_clock() {
  constexpr int tries = 4;
  constexpr std::int64_t steps = 1 << 16, adds_in_a_step = 4;
  double fastest = 0;
  for (int i = 0; i < tries; ++i) {
    std::uint64_t sum = 0, one = 1;
    const double start = monotonic();
    for (std::int64_t step = 0; step < steps; ++step)
      for (std::int64_t add = 0; add < adds_in_a_step; ++add) {
        asm volatile("" : "+r"(sum), "+r"(one));
        sum += one;
      }
    const double seconds = monotonic() - start;
    if (seconds > 0) fastest = std::max(fastest, static_cast<double>(steps * adds_in_a_step) / seconds);
  }
  return fastest;
}

TimedCase::TimedCase(const Variant& variant, const Point& point, const Team& team,
                     std::filesystem::path inputs)
    : variant_(variant), point_(point), team_(team), inputs_folder_(std::move(inputs)) {
  enter_platform(point_);
  if (platform()) clock_ = platform()->clock();
}

void TimedCase::load() {
  instance_.reset();  // two at once may not fit
  inputs_.emplace(inputs_folder_, false);
  const Phase phase(Stage::prepare, category_of(variant_));
  instance_ = variant_.load(point_, *inputs_, team_);
  instance_->begin();
}

Timed TimedCase::time(SamplingPolicy policy, const std::function<void(const Measured&)>& progress) {
  const double start = monotonic();
  load();
  const double load_seconds = monotonic() - start;
  policy.clock = clock_.get();
  policy.category = category_of(variant_);
  policy.period = variant_.spec().period;
  policy.steps = variant_.steps(point_);
  policy.phases = variant_.phases(point_);
  policy.cold = settings_of(point_).cold;
  std::vector<double> clocks;
  if (!clock_) clocks.push_back(core_clock());
  Measured measured = measure(*instance_, policy, progress);
  if (!clock_) clocks.push_back(core_clock());
  // A kernel that counts what it had to do again knows that only now.
  return {.measured = std::move(measured),
          .load_seconds = load_seconds,
          .iterations = instance_->iterations(),
          .facts = instance_->facts(),
          .clocks = std::move(clocks)};
}

Proved TimedCase::prove_from_inputs(std::int64_t iterations, const std::filesystem::path& outputs) {
  const auto calls = calls_for(variant_, point_, iterations);
  const bool restarts = instance_->restarts();
  if (restarts) {
    instance_->restart();
    instance_->begin();
  } else {
    load();
  }
  auto seconds = first_calls(*instance_, variant_.steps(point_), calls, !clock_);
  Proved proved = prove_last(outputs);
  proved.seconds = std::move(seconds);
  proved.how = restarts ? "restarted" : "reloaded";
  return proved;
}

Proved TimedCase::prove_last(const std::filesystem::path& outputs) {
  const Phase phase(Stage::verify, category_of(variant_));
  Arrays written(outputs, true);
  return {.how = "last", .written = instance_->finish(written), .iterations = instance_->iterations()};
}

void TimedCase::go_on(std::int64_t units) {
  const std::int64_t steps = variant_.steps(point_);
  Lifetime lifetime(*instance_, steps);
  if (lifetime.ends()) {  // how far the last one has come is not known
    instance_->restart();
    instance_->begin();
  }
  if (clock_) clock_->start();
  for (std::int64_t left = units; left > 0; left -= steps) {
    lifetime.before(1);
    instance_->timed();
  }
  if (clock_) clock_->stop();
}

}  // namespace uotbench
