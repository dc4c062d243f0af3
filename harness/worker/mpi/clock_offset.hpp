// How far another process's clock is from this one's, from messages there and back (Cristian, "Probabilistic
// clock synchronization", Distributed Computing 3, 1989): the quickest round trip is the most exact, and is
// wrong by no more than half of what it took.
#pragma once

#include <cmath>
#include <functional>

namespace uotbench {

struct ClockOffset {
  double seconds = 0;  ///< the other clock less this one
  double error = 0;    ///< at most
};

/// `now`: this clock; `ask`: the other one, answered over there. Both in seconds.
inline ClockOffset clock_offset(int rounds, const std::function<double()>& now,
                                const std::function<double()>& ask) {
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

/// What of it is to be taken off: nothing where the clocks may be the same one, as they are on one host.
inline double correction(const ClockOffset& offset) {
  return std::abs(offset.seconds) <= offset.error ? 0 : offset.seconds;
}

/// Whether one of the clocks was set, or runs faster, in between: it moved by more than the errors explain,
/// and by more than `tolerated` seconds.
inline bool moved(const ClockOffset& before, const ClockOffset& after, double tolerated) {
  const double by = std::abs(after.seconds - before.seconds);
  return by > before.error + after.error && by > tolerated;
}

}  // namespace uotbench
