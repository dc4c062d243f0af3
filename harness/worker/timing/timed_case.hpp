// A case solved, or timed and after that proved: the same instance has to be right that was just fast.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/worker/phases.hpp"
#include "harness/worker/timing/measure.hpp"
#include "harness/worker/variant.hpp"

namespace uotbench {

// Instances whose iterations differ when they are too many: a value that runs dry becomes denormal, and a
// clock would see it. They are started again before that, while nothing is timed or counted.

class Lifetime {
 public:
  /// Of an instance that has begun, and makes `steps` iterations a call. Throws Error where it does not allow
  /// one call.
  explicit Lifetime(Instance& instance, std::int64_t steps = 1);

  /// This number of calls, or the number that may follow one another.
  std::int64_t at_most(std::int64_t calls) const { return most_ ? std::min(calls, *most_) : calls; }
  /// Whether this number may follow now.
  bool holds(std::int64_t calls) const { return !most_ || done_ + calls <= *most_; }
  /// Before this number, at_most() of them: starts the instance again where they would be too many.
  void before(std::int64_t calls);
  bool ends() const { return most_.has_value(); }

 private:
  Instance& instance_;
  std::optional<std::int64_t> most_;
  std::int64_t done_ = 0;
};

// What a worker does with a case to be judged, and when it is asked for: solves it.

struct Task {
  const Variant& variant;
  const Point& point;
  const Team& team;
  std::filesystem::path inputs, outputs;  ///< folders of .npy files
};

/// The variant's, for ranges that profilers see.
PhaseCategory category_of(const Variant& variant);

/// Calls of iterate() between begin() and finish() that make this number of iterations. Throws Error where no
/// number of them does.
std::int64_t calls_for(const Variant& variant, const Point& point, std::int64_t iterations);

/// Calls of iterate() that follow begin(), restarted where the kernel's lifetime ends. Returns the seconds of
/// each of the first calls: a kernel that does less and less work shows it there. None where `apart` is
/// false: only a device knows them.
std::vector<double> first_calls(Instance& instance, std::int64_t steps, std::int64_t calls, bool apart);

struct Solved {
  std::vector<std::string> written;        ///< the outputs that the variant says it wrote
  std::optional<std::int64_t> iterations;  ///< where it went to a solution: how many that took
  std::optional<Work> work;                ///< of an iteration, or of that solve, where it knows it only now
  Facts facts;                             ///< what the record should know of how it ran
  std::vector<double> seconds = {};        ///< of its first calls, as first_calls() has them
};

/// Makes this many iterations from the inputs as they are, or one whole solve where that is the variant's
/// unit, and writes the outputs, which must be there. Throws Error where arrays are missing or damaged,
/// where this number of iterations is no multiple of those that a call makes, and what the kernel throws.
Solved solve(const Task& task, int iterations);

// A case that is timed, and after that proved: the same instance has to be right that was just fast.

// The clock of the core that the calling thread is on.

/// Hertz, as ceiling/cycle measures it: by adds that wait for each other, a cycle each. Takes about 0.3 ms;
/// the fastest of several tries, as another process may have the core for one of them.
double core_clock();

struct Timed {
  Measured measured;
  double load_seconds;                     ///< what copying the inputs and beginning took
  std::optional<std::int64_t> iterations;  ///< of a solve
  Facts facts;
  /// Hertz before and after the samples (core_clock); empty: a device has the clock.
  std::vector<double> clocks = {};
};

/// How outputs came to be that prove what was timed.
struct Proved {
  const char* how;                         ///< restarted, reloaded or last
  std::vector<std::string> written;        ///< the outputs that the variant says it wrote
  std::optional<std::int64_t> iterations;  ///< of a solve: how many the last one took
  /// From the inputs: seconds of each of the first calls of iterate(). Empty where only a device knows them.
  std::vector<double> seconds = {};
};

class TimedCase {
 public:
  TimedCase(const Variant& variant, const Point& point, const Team& team, std::filesystem::path inputs);
  TimedCase(const TimedCase&) = delete;
  TimedCase& operator=(const TimedCase&) = delete;

  /// Copies the inputs and samples steady iterations; the point says whether caches are cold. Throws as
  /// solve() does.
  Timed time(SamplingPolicy policy, const std::function<void(const Measured&)>& progress);

  /// This number of iterations from the inputs, in the instance that was timed: in its memory where it can
  /// restart, else with the inputs loaded anew. Throws as solve() does.
  Proved prove_from_inputs(std::int64_t iterations, const std::filesystem::path& outputs);
  /// What the last sample left.
  Proved prove_last(const std::filesystem::path& outputs);
  /// This number of further iterations, parts or solves, done when this returns: the caller has a clock.
  void go_on(std::int64_t units);

 private:
  void load();

  const Variant& variant_;
  const Point point_;
  const Team team_;
  const std::filesystem::path inputs_folder_;
  std::optional<Arrays> inputs_;
  std::unique_ptr<DeviceClock> clock_;
  std::unique_ptr<Instance> instance_;
};

}  // namespace uotbench
