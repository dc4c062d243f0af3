// How far another process's clock is from this one's, from messages there and back (Cristian, "Probabilistic
// clock synchronization", Distributed Computing 3, 1989): the quickest round trip is the most exact, and is
// wrong by no more than half of what it took.
#pragma once

#include <functional>

namespace uotbench {

struct ClockOffset {
  double seconds = 0;  ///< the other clock less this one
  double error = 0;    ///< at most
};

/// `now`: this clock; `ask`: the other one, answered over there. Both in seconds.
ClockOffset clock_offset(int rounds, const std::function<double()>& now, const std::function<double()>& ask);

/// What of it is to be taken off: nothing where the clocks may be the same one, as they are on one host.
double correction(const ClockOffset& offset);

/// Whether one of the clocks was set, or runs faster, in between: it moved by more than the errors explain,
/// and by more than `tolerated` seconds.
bool moved(const ClockOffset& before, const ClockOffset& after, double tolerated);

}  // namespace uotbench
