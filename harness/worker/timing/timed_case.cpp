#include "harness/worker/timing/timed_case.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "harness/protocol/point_json.hpp"
#include "harness/worker/phases.hpp"
#include "harness/worker/timing/measure.hpp"
#include "harness/worker/timing/steps.hpp"

namespace uotbench {

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
