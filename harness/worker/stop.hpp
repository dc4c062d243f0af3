// Ends a solve whose caller no longer wants it (harness/call). A benchmark's worker stops none.
#pragma once

#include <atomic>

#include "results/base/error.hpp"

namespace uotbench {

/// A solve that was stopped.
class Stopped : public Error {
 public:
  Stopped() : Error("stopped before its end") {}
};

/// Throws Stopped where the solve that this thread runs is to end. Loops that go to a solution call it once
/// an iteration.
void end_if_stopped();

/// While it exists, end_if_stopped() of this thread looks at the flag.
class ListenToStop {
 public:
  explicit ListenToStop(const std::atomic<bool>& flag);
  ~ListenToStop();
  ListenToStop(const ListenToStop&) = delete;
  ListenToStop& operator=(const ListenToStop&) = delete;

 private:
  const std::atomic<bool>* before_;
};

}  // namespace uotbench
