#include "harness/worker/timing/measure.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include "harness/worker/timing/timed_case.hpp"
#include "results/base/error.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

// What looking at the clock takes is in the part's time: with so many looks in it, a twentieth of it at most.
constexpr double least_looks = 20;

/// Seconds that a look at the clock takes: the least of some, since any may be interrupted.
double look_seconds() {
  double least = INFINITY;
  for (int batch = 0; batch < 20; ++batch) {
    constexpr int looks = 50;
    const double start = monotonic();
    double last = start;
    for (int i = 0; i < looks; ++i) last = monotonic();
    least = std::min(least, (last - start) / looks);
  }
  return least;
}

}  // namespace

PhaseTimes::PhaseTimes(const std::vector<std::string>& names, DeviceClock* clock)
    : names_(names),
      clock_(clock),
      before_(listen_to_regions(this)),
      parts_(names.size()),
      all_(names.size()) {
  for (const auto& name : names_) told_.push_back({.name = name, .seconds = {}});
}

PhaseTimes::~PhaseTimes() { listen_to_regions(before_); }

void PhaseTimes::enter(const char* name) {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end())
    throw Error(
        fmt::format("the kernel marks a phase \"{}\"; its spec names {}", name,
                    names_.empty() ? "none: add .phases" : fmt::format("{}", fmt::join(names_, ", "))));
  if (!in_.empty()) pause();
  in_.push_back(static_cast<std::size_t>(found - names_.begin()));
  go_on();
}

void PhaseTimes::leave() {
  if (in_.empty()) return;  // entering it failed
  pause();
  ++parts_[in_.back()].entered;
  in_.pop_back();
  if (!in_.empty()) go_on();
}

void PhaseTimes::go_on() {
  if (clock_) {
    clock_->mark();
    marked_.push_back(in_.back());
  } else {
    since_ = monotonic();
  }
}

void PhaseTimes::pause() {
  if (clock_)
    clock_->mark();
  else
    parts_[in_.back()].seconds += monotonic() - since_;
}

void PhaseTimes::after_call() {
  if (!clock_ || marked_.empty()) return;
  const auto at = clock_->marks();
  for (std::size_t i = 0; i < marked_.size() && 2 * i + 1 < at.size(); ++i)
    parts_[marked_[i]].seconds += at[2 * i + 1] - at[2 * i];
  marked_.clear();
}

void PhaseTimes::after_sample(std::int64_t units) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    told_[i].seconds.push_back(parts_[i].seconds / static_cast<double>(units));
    all_[i].seconds += parts_[i].seconds;
    all_[i].entered += parts_[i].entered;
  }
  units_ += units;
  forget();
}

void PhaseTimes::forget() {
  std::ranges::fill(parts_, Part{});
  marked_.clear();
}

std::vector<PhaseSamples> PhaseTimes::take(std::string& doubt) {
  const double least = clock_ ? 0 : least_looks * look_seconds();
  for (std::size_t i = 0; i < told_.size(); ++i) {
    told_[i].entered = static_cast<double>(all_[i].entered) / static_cast<double>(units_);
    const double one = all_[i].seconds / static_cast<double>(std::max<std::int64_t>(1, all_[i].entered));
    if (all_[i].entered == 0 || one >= least) continue;
    doubt = fmt::format(
        "the phase {} lasts {:.0f} ns, less than 20 looks at the clock ({:.0f} ns): no phases are reported",
        told_[i].name, one * 1e9, least * 1e9);
    return {};
  }
  return std::move(told_);
}

double monotonic() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace {

// A sample of a warm case lasts at least this long: 200x the loop's own start and stop (about 25 us with a
// cold instruction cache), short enough for a few hundred samples in a second.
constexpr double sample_seconds = 5e-3;
// The noise of a process is looked at when at least this much new evidence is in: sorting all samples
// after each one would be quadratic.
constexpr double look_again = 1.1;

struct Loop {
  double seconds = 0, cpu = 0;
  std::int64_t calls = 0;
};

class Capture : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const auto& run : runs)
      if (!run.error_occurred && run.run_type == Run::RT_Iteration)
        loop = {run.real_accumulated_time, run.cpu_accumulated_time, run.iterations};
  }
  Loop loop;
};

/// Passes time on this thread. A clock is looked at all the while: sleeping would let the CPU slow down,
/// which a slower kernel would not.
void spin(double seconds) {
  for (const double end = monotonic() + seconds; monotonic() < end;) benchmark::ClobberMemory();
}

/// Which sample a loop is.
struct Sample {
  PhaseCategory category;
  std::int64_t index;
};

/// Runs the benchmark library once: so many calls, or as many as fill sample_seconds for 0; then, before its
/// clock stops, passes the time that a kernel `slowdown` times as slow would take longer.
Loop run_loop(Instance& instance, DeviceClock* clock, PhaseTimes& phases, std::int64_t calls,
              const std::optional<Sample>& sample = {}, double slowdown = 1) {
  // Where the clock is around all calls, they are one iteration of the library's.
  const bool spans = clock && clock->spans_calls();
  const std::int64_t spanned = spans ? calls : 1;
  auto* registered = benchmark::RegisterBenchmark("iteration", [&](benchmark::State& state) {
    std::optional<Phase> phase;  // begins before the clock does, and ends after it
    if (sample) phase.emplace(Stage::sample, sample->category, sample->index);
    const double start = monotonic();
    std::int64_t left = slowdown > 1 ? calls : 0;  // 0: never reaches the last
    for (auto _ : state) {
      if (clock) clock->start();
      for (std::int64_t more = spanned; more > 0; --more) instance.timed();
      if (clock) {
        state.SetIterationTime(clock->stop());
        phases.after_call();
      }
      benchmark::ClobberMemory();
      if (--left == 0) spin((slowdown - 1) * (monotonic() - start));
    }
  });
  registered->Repetitions(1);
  clock ? registered->UseManualTime() : registered->UseRealTime();
  if (calls > 0) {
    registered->Iterations(calls / spanned);
  } else {
    registered->MinTime(sample_seconds);
  }
  Capture capture;
  struct Unregister {  // also where the kernel throws
    ~Unregister() { benchmark::ClearRegisteredBenchmarks(); }
  } const unregister;
  benchmark::RunSpecifiedBenchmarks(&capture, "all");
  capture.loop.calls *= spanned;
  if (capture.loop.calls == 0 || (calls > 0 && capture.loop.calls != calls))
    throw Error("the timing loop did not run as asked; unset BENCHMARK_* in the environment");
  return capture.loop;
}

/// Calls that make at least `count` iterations and whole periods of them, or as many of these as a lifetime
/// holds.
std::int64_t whole_periods(std::int64_t count, const SamplingPolicy& policy, const Lifetime& lifetime) {
  const std::int64_t period = policy.period / std::gcd(policy.period, policy.steps);  // in calls
  const std::int64_t calls = (count + policy.steps - 1) / policy.steps;
  const std::int64_t whole = lifetime.at_most((calls + period - 1) / period * period) / period * period;
  if (whole < 1)
    throw Error(fmt::format("the kernel's lifetime is {} iterations, less than its period of {}",
                            lifetime.at_most(period) * policy.steps, period * policy.steps));
  return whole;
}

/// The benchmark library's own calibration, or where it would take more calls than a lifetime has, or the
/// clock is around all of them, one that doubles them.
Loop calibration(Instance& instance, Lifetime& lifetime, DeviceClock* clock, PhaseTimes& phases) {
  const bool spans = clock && clock->spans_calls();
  if (!lifetime.ends() && !spans) return run_loop(instance, clock, phases, 0);
  for (std::int64_t calls = 1;; calls = lifetime.at_most(2 * calls)) {
    lifetime.before(calls);
    const Loop loop = run_loop(instance, clock, phases, calls);
    if (loop.seconds >= sample_seconds || calls == lifetime.at_most(2 * calls)) return loop;
  }
}

/// Calls that fill a sample. Calibration is the warm-up, too.
std::int64_t calibrated(Instance& instance, Lifetime& lifetime, DeviceClock* clock, PhaseTimes& phases) {
  const Loop loop = calibration(instance, lifetime, clock, phases);
  const double per_call = loop.seconds / static_cast<double>(loop.calls);
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::ceil(sample_seconds / std::max(per_call, 1e-9))));
}

}  // namespace

Measured measure(Instance& instance, const SamplingPolicy& policy,
                 const std::function<void(const Measured&)>& progress) {
  Measured measured;
  if (policy.clock) measured.clock = policy.clock->name();
  if (policy.slowdown > 1 && policy.clock)
    throw Error(
        fmt::format("a slowdown can be injected into the CPU's time, not into that of {}", measured.clock));
  Lifetime lifetime(instance, policy.steps);
  PhaseTimes phases(policy.phases, policy.clock);
  std::optional<Evictor> evictor;
  std::int64_t calls = 1;  // a sample
  {
    const Phase phase(Stage::warm_up, policy.category);
    if (policy.cold) {
      if (!policy.clock) evictor.emplace();
      lifetime.before(1);
      instance.timed();
    } else if (policy.inner > 0) {
      calls = whole_periods(policy.inner, policy, lifetime);
      lifetime.before(calls);
      run_loop(instance, policy.clock, phases, calls);
    } else {
      calls = whole_periods(calibrated(instance, lifetime, policy.clock, phases) * policy.steps, policy,
                            lifetime);
    }
    phases.forget();
  }
  measured.inner = calls * policy.steps;
  const auto units = static_cast<double>(measured.inner);
  const std::optional<Work> done = instance.work();

  double wall = 0, cpu = 0;
  std::size_t next_look = 0;
  double next_progress = 0.2;
  measured.first_sample = monotonic();
  while (measured.stopped_by.empty()) {
    lifetime.before(calls);
    if (evictor)
      evictor->evict();
    else if (policy.cold)
      policy.clock->evict();
    const Sample sample{policy.category, static_cast<std::int64_t>(measured.samples.size())};
    const Loop loop = run_loop(instance, policy.clock, phases, calls, sample, policy.slowdown);
    wall += loop.seconds;
    cpu += loop.cpu;
    measured.samples.push_back(loop.seconds / units);
    phases.after_sample(measured.inner);

    double spent = monotonic() - measured.first_sample;
    if (policy.clock) spent = policy.clock->agreed(spent);
    const std::size_t count = measured.samples.size();
    if (count >= static_cast<std::size_t>(policy.min_samples)) {
      if (count >= next_look) {
        next_look = static_cast<std::size_t>(std::ceil(static_cast<double>(count) * look_again));
        const auto noise = relative_noise(measured.samples);
        if (noise && *noise <= policy.max_noise) measured.stopped_by = "noise";
      }
      if (measured.stopped_by.empty() && spent >= policy.seconds) measured.stopped_by = "time";
      if (measured.stopped_by.empty() && count >= policy.most_samples) measured.stopped_by = "samples";
    }
    if (spent >= next_progress) {
      next_progress = spent + 0.2;
      progress(measured);
    }
  }
  measured.busy = wall > 0 ? cpu / wall : 1;
  if (done)
    measured.work = (*instance.work() - *done) * (1 / (units * static_cast<double>(measured.samples.size())));
  std::string doubt;
  measured.phases = phases.take(doubt);
  if (!doubt.empty()) measured.warnings.push_back(doubt);
  return measured;
}

}  // namespace uotbench
