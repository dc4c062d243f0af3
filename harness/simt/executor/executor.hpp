// How kernels are run on the CPU: in which order, watched by whom, and when patience ends. One program has
// one executor, as it has one CUDA runtime; launches come from one OS thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/trace/warps/warps.hpp"

namespace uotbench::trace {
class WarpTrace;
}

namespace uotbench::simt {

/// Of blocks in a grid, warps in a block, lanes in a warp. A right kernel gives the same in any.
enum class Order {
  ascending,
  descending,
  shuffled,
  mixed  ///< launch k since it was set: k mod 3 of the others
};
/// `seed`: of shuffled ones.
void set_order(Order order, std::uint64_t seed = 1);

struct Limits {
  /// CPU time of one thread between two meetings; more is an endless loop.
  std::chrono::milliseconds patience{5000};
  /// Atomics of one thread between two meetings; more is a wait for a thread that does not run.
  std::uint64_t most_atomics = 1u << 26;
  /// Bytes of a thread's stack, which hold its local memory.
  std::size_t stack = 64 * 1024;
};
/// From the next launch on.
void set_limits(const Limits& limits);

/// Reports every launch and array to it from now on, the arrays that are there included; null: to none. The
/// trace is made with stop_thread.
void set_trace(trace::WarpTrace* trace);
/// Leaves the running thread for good, from inside one of its accesses: the trace has a fault.
[[noreturn]] void stop_thread();

// Who watches the executor: of trace::WarpTrace what the executor calls, so that workers without a trace link
// none.

/// Every function as the one of trace::WarpTrace.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void add_global(const void* begin, std::size_t bytes) = 0;
  virtual void remove_global(const void* begin) = 0;
  virtual void begin_launch(const std::string& kernel, int threads_per_block,
                            const trace::LaunchMemory& memory) = 0;
  virtual void begin_block() = 0;
  virtual void run(int thread) = 0;
  virtual void rest() = 0;
  virtual void meet(std::uint64_t place) = 0;
  virtual void met(int warp, std::uint32_t mask) = 0;
  virtual bool end_interval() = 0;
  virtual void access(const void* at, unsigned size, trace::AccessKind kind, std::uint64_t place) = 0;
  virtual void end_launch() = 0;
  virtual const trace::Fault& fault() const = 0;
};

/// Null: none. Reports the arrays that are there to a new one.
void set_observer(Observer* observer);

}  // namespace uotbench::simt
