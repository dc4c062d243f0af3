// How a launch fails: what a thread did, and the signals that show it.
#pragma once

#include <signal.h>
#include <time.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "harness/trace/warps/warps.hpp"

namespace uotbench::simt {

class Scheduler;
class KernelError;

struct Failure {
  enum class Kind {
    none,
    traced,              ///< the observer's fault() has the details
    not_in_mask,         ///< thread meets with a mask that lacks its lane
    bad_width,           ///< number: the width of a shuffle
    inactive_source,     ///< number: the lane that a shuffle reads from
    partial_warp,        ///< number: the lanes that come to a tensor core
    other_barrier,       ///< thread and other wait at two barriers
    missing_at_barrier,  ///< thread waits at a barrier, others of its block have ended
    other_mask,          ///< thread and other wait for each other, with two masks
    other_collective,    ///< thread and other wait for each other, at two collectives
    deadlock,            ///< thread waits for other, which waits elsewhere
    grid_sync,
    nested,  ///< a launch
    trap,
    spinning,  ///< number: atomics
    endless,   ///< number: milliseconds
    stack_overflow,
    bad_address,  ///< address
    division,
    bad_copy  ///< number: bytes of an asynchronous copy
  };
  Kind kind = Kind::none;
  int thread = -1, other = -1;
  std::int64_t number = 0;
  std::uint64_t address = 0;
  std::source_location where{};
  std::uint64_t place = 0;  ///< code address, where there is no `where`
};

/// `kernel`: its short name.
KernelError error_of(const Failure& failure, const Scheduler& scheduler, const std::string& kernel);

// What a thread does that only the processor notices: it overflows its stack, accesses what is not there,
// divides by zero, or never comes back. Signals report it; their handlers leave the thread.

/// Handles signals as long as it lives, of one launch on the calling OS thread; then they are whose they
/// were.
class Signals {
 public:
  /// `kernel`: its code, in which a thread can be left at any instruction; elsewhere a lock may be held.
  /// `patience`: CPU time. Where the system gives no timer, there is no limit.
  Signals(const trace::Span& kernel, std::chrono::milliseconds patience);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  static constexpr std::array numbers{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGVTALRM};

  std::unique_ptr<char[]> stack_;  // the thread's own may be what overflowed
  stack_t old_stack_{};
  std::array<struct sigaction, numbers.size()> old_{};
  timer_t timer_{};
  bool has_timer_ = false;
};

}  // namespace uotbench::simt
