// Timing: Google Benchmark is the loop (calibration, DoNotOptimize, clocks); when to stop is decided here.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/worker/phases.hpp"
#include "harness/worker/platform.hpp"
#include "harness/worker/variant.hpp"
#include "results/record/work.hpp"

namespace uotbench {

/// When one process has seen enough.
struct SamplingPolicy {
  double max_noise = 0.02;               ///< stop when the 95% interval of the median is within +- this
  double seconds = 1;                    ///< or when this much time is spent
  int min_samples = 2;                   ///< but not before this many
  std::int64_t inner = 0;                ///< iterations a sample; 0: what makes one last 5 ms
  std::int64_t period = 1;               ///< and a multiple of this
  std::int64_t steps = 1;                ///< iterations that a call of the instance makes
  std::vector<std::string> phases = {};  ///< names of the parts that the kernel marks
  /// Above 1: every sample is made to last this many times as long, as if the kernel were that much slower,
  /// so that who looks for slowdowns can be tested.
  double slowdown = 1;
  bool cold = false;  ///< evict the caches before every sample, which then is one call
  /// Nor after this many: more tighten the interval no further than the machine's drift.
  std::size_t most_samples = 2000;
  PhaseCategory category = {};   ///< of the ranges that profilers see
  DeviceClock* clock = nullptr;  ///< whose seconds count; null: the steady clock's
};

struct Measured {
  std::vector<double> samples;  ///< seconds per iteration, in order
  std::int64_t inner = 1;       ///< iterations per sample
  std::string stopped_by;       ///< noise, time or samples
  double first_sample = 0;      ///< CLOCK_MONOTONIC seconds when the first sample began
  double busy = 1;              ///< CPU time over wall time of the calling thread, while sampling
  std::string clock = "steady";
  std::vector<PhaseSamples> phases = {};  ///< one value per sample
  std::optional<Work> work = {};  ///< of a unit: the mean over all samples, where the instance knows it
  std::vector<std::string> warnings = {};
};

/// Seconds of CLOCK_MONOTONIC.
double monotonic();

/// `instance` has been begun; one with a lifetime is started again between samples, which then hold no more
/// iterations than that. `progress` is called now and then with what there is.
Measured measure(Instance& instance, const SamplingPolicy& policy,
                 const std::function<void(const Measured&)>& progress);

// How long the parts of what is timed take that a kernel marks with Region.

/// Hears the regions of its thread while it lives. `clock`: the device's, whose seconds count; null: the
/// steady clock's.
class PhaseTimes final : public RegionListener {
 public:
  PhaseTimes(const std::vector<std::string>& names, DeviceClock* clock);
  ~PhaseTimes() override;
  PhaseTimes(const PhaseTimes&) = delete;
  PhaseTimes& operator=(const PhaseTimes&) = delete;

  /// Throws Error where a name is not one of `names`. A part within another is taken out of it.
  void enter(const char* name) override;
  void leave() override;

  /// A call of timed() is over, on the device too.
  void after_call();
  /// A sample of this number of units is over; forgets what was heard where it is none.
  void after_sample(std::int64_t units);
  void forget();

  /// One value per sample. Empty where the kernel has none, or one is too short for its clock: then
  /// `doubt` says so.
  std::vector<PhaseSamples> take(std::string& doubt);

 private:
  struct Part {
    double seconds = 0;
    std::int64_t entered = 0;
  };

  void go_on();  ///< the last of in_
  void pause();

  std::vector<std::string> names_;
  DeviceClock* clock_;
  RegionListener* before_;
  std::vector<Part> parts_;          ///< of the sample that goes on, by name
  std::vector<std::size_t> in_;      ///< the part that goes on is the last; those that it is within
  double since_ = 0;                 ///< when it began, or went on
  std::vector<std::size_t> marked_;  ///< of the device's marks, two a part: whose they are
  std::vector<PhaseSamples> told_;
  std::vector<Part> all_;  ///< of all samples
  std::int64_t units_ = 0;
};

}  // namespace uotbench
