// How kernels are run on the CPU: in which order, watched by whom, and when patience ends. One program has
// one executor, as it has one CUDA runtime; launches come from one OS thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

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

}  // namespace uotbench::simt
