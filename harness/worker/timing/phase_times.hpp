// How long the parts of what is timed take that a kernel marks with Region.
#pragma once

#include <string>
#include <vector>

#include "harness/worker/phases.hpp"
#include "harness/worker/platform.hpp"
#include "results/record/work.hpp"

namespace uotbench {

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
