// A case that is timed, and after that proved: the same instance has to be right that was just fast.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/worker/timing/measure.hpp"
#include "harness/worker/variant.hpp"

namespace uotbench {

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
