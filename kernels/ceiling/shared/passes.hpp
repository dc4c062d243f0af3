// How often an iteration goes over its arrays: what kernels and their judge have to agree on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "harness/protocol/point.hpp"

namespace uotbench::ceiling {

/// How often each array holds its N elements, one after the other: a working set of gigabytes needs no input
/// of gigabytes.
inline double repeats(const Point& at) { return at.has("repeat") ? at.number("repeat") : 1; }

/// Passes that one iteration makes over `arrays` arrays of N elements, repeated. Waking a team takes about 1
/// us: an iteration moves at least 32 MiB a thread, some 100 us out of the fastest L1. Never many more than
/// 2^16, for a few bytes: passes are then counted exactly in f32. Odd, so that no sum modulo a power of two
/// loses digits when it is multiplied by it.
inline std::int64_t passes(const Point& at, int arrays) {
  constexpr double least_bytes = 32 << 20, most = 1 << 16;
  const double width = at.text("dtype") == "f64" ? 8 : 4;
  const double bytes = arrays * width * at.number("N") * repeats(at);
  return static_cast<std::int64_t>(
             std::clamp(std::ceil(least_bytes * at.number("threads") / bytes), 1., most)) |
         1;
}

/// Steps of fma's recurrence in one iteration: about 100 us, for the same reason.
inline constexpr std::size_t fma_steps = 1 << 16;

/// Exponentials of each lane of exp in one iteration, likewise.
inline constexpr std::size_t exp_steps = 1 << 13;

/// Steps of cycle, of four adds each, in one iteration: about 100 us.
inline constexpr std::size_t cycle_steps = 1 << 16;

/// Parallel regions that one iteration of region starts.
inline constexpr std::size_t regions_started = 100;

/// Barriers that each thread waits at in one iteration of barrier.
inline constexpr std::size_t barriers_passed = 100;

/// Likewise of cuda_fma's, for each of its N threads.
inline constexpr std::size_t device_fma_steps = 1 << 10;

/// Loads of chase in one iteration: 20 us from L1, 2 ms from slow memory. A prime, so that only a chain of as
/// many lines is back where it began after it.
inline constexpr std::size_t chase_steps = 16381;

/// Bytes of chase's largest set: the places of its lines are exact in f32.
inline constexpr double most_chase_set = 1 << 30;

/// Cache lines of 64 bytes that chase's set has.
inline std::size_t chase_lines(const Point& at) { return at.size("set") / 64; }

/// Ranges that one iteration of range opens.
inline constexpr std::size_t ranges_opened = 1000;

}  // namespace uotbench::ceiling
