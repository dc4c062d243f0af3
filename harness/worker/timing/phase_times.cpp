#include "harness/worker/timing/phase_times.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "harness/worker/timing/measure.hpp"
#include "results/base/error.hpp"

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

}  // namespace uotbench
