#include "harness/worker/mpi/clock_offset.hpp"

#include <cmath>

namespace uotbench {

ClockOffset clock_offset(int rounds, const std::function<double()>& now, const std::function<double()>& ask) {
  ClockOffset best{.seconds = 0, .error = INFINITY};
  for (int round = 0; round < rounds; ++round) {
    const double sent = now();
    const double there = ask();
    const double back = now();
    const double error = (back - sent) / 2;
    if (error < best.error) best = {.seconds = there - (sent + back) / 2, .error = error};
  }
  return best;
}

double correction(const ClockOffset& offset) {
  return std::abs(offset.seconds) <= offset.error ? 0 : offset.seconds;
}

bool moved(const ClockOffset& before, const ClockOffset& after, double tolerated) {
  const double by = std::abs(after.seconds - before.seconds);
  return by > before.error + after.error && by > tolerated;
}

}  // namespace uotbench
