#include "harness/worker/timing/core_clock.hpp"

#include <algorithm>
#include <cstdint>

#include "harness/worker/timing/measure.hpp"

namespace uotbench {

double core_clock() {
  constexpr int tries = 4;
  constexpr std::int64_t steps = 1 << 16, adds_in_a_step = 4;
  double fastest = 0;
  for (int i = 0; i < tries; ++i) {
    std::uint64_t sum = 0, one = 1;
    const double start = monotonic();
    for (std::int64_t step = 0; step < steps; ++step)
      for (std::int64_t add = 0; add < adds_in_a_step; ++add) {
        asm volatile("" : "+r"(sum), "+r"(one));
        sum += one;
      }
    const double seconds = monotonic() - start;
    if (seconds > 0) fastest = std::max(fastest, static_cast<double>(steps * adds_in_a_step) / seconds);
  }
  return fastest;
}

}  // namespace uotbench
