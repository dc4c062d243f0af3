// What a thread does that only the processor notices: it overflows its stack, accesses what is not there,
// divides by zero, or never comes back. Signals report it; their handlers leave the thread.
#pragma once

#include <signal.h>
#include <time.h>

#include <array>
#include <chrono>
#include <memory>

#include "harness/trace/warps/warps.hpp"

namespace uotbench::simt {

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
