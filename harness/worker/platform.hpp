// What a worker's kernels run on, where that is not this process' own CPUs: a GPU, or the executor that takes
// its place. It times by its own clock, refuses what it has no room for, and says what it is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/worker/variant.hpp"
#include "results/base/json_fwd.hpp"

namespace uotbench {

/// Times iterations on the device's own clock.
class DeviceClock {
 public:
  virtual ~DeviceClock() = default;
  virtual const char* name() const = 0;  ///< as records have it: cuda-event
  virtual void start() = 0;
  /// Seconds since start(), all work done.
  virtual double stop() = 0;
  /// Notes a moment in the device's work since start().
  virtual void mark() = 0;
  /// Seconds from start() to each mark, after stop().
  virtual std::vector<double> marks() = 0;
  /// Moves everything out of the device's caches.
  virtual void evict() = 0;
  /// True: one start() and one stop() are around all the calls of a sample, since either costs as much as a
  /// call. False: around each.
  virtual bool spans_calls() const { return false; }
  /// Where several processes take the same samples: what one of them read off its clock, for all of them, so
  /// that they decide alike.
  virtual double agreed(double seconds) const { return seconds; }
};

class Platform {
 public:
  virtual ~Platform() = default;
  /// Before a case's arrays are loaded: what its point says of the device.
  virtual void enter(const Point&) {}
  /// What hello says in addition: {"device": {…}}, or {"obstacle": why no case can run here}.
  virtual Json hello() const = 0;
  /// Why this one cannot, e.g. bytes of device memory, with both numbers; empty: it can.
  virtual std::string refusal(const Variant&, const Point&) const { return ""; }
  /// False: it is right or wrong here, but how long it takes says nothing.
  virtual bool times() const { return true; }
  virtual std::unique_ptr<DeviceClock> clock() const { return nullptr; }
  /// What the device is like now: clocks, temperature; for a record's env.
  virtual Json usage();
  /// Where there are several processes: makes of what the system saw of this one what it saw of all.
  virtual void gather(Json&) const {}
  /// What spoiled a timing since enter(), a line each.
  virtual std::vector<std::string> warnings() const { return {}; }
};

/// The worker's, null where its kernels run on the CPU.
Platform* platform();
/// Its enter(), where there is one.
void enter_platform(const Point& point);
/// At most one. Returns true, so that a file's static object can call it.
bool set_platform(std::unique_ptr<Platform> platform);

}  // namespace uotbench
