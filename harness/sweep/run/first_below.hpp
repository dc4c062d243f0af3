// How soon a solve is at a target: the fewest iterations after which it is there, and the time of solves that
// stop there.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace uotbench {

// After how many iterations a solve is at a target: a search over states, each of which costs a run.

/// Where a solve was stopped, and how far it was from the solution then.
struct State {
  std::int64_t iterations;
  double found;
};

class FirstBelow {
 public:
  /// The state after at least so many iterations: a solver may stop after every tenth alone. Throws what
  /// whoever runs it throws.
  using StateAfter = std::function<State(std::int64_t iterations)>;

  /// `end`: where the solve ends by its own test.
  FirstBelow(StateAfter state_after, State end) : state_after_(std::move(state_after)) {
    known_[end.iterations] = end.found;
  }

  /// The first state at or below the target, of a distance that shrinks from one iteration to the next; of
  /// one that does not, the end of some stretch above it. It may lie beyond the solve's own end: who stops
  /// later comes nearer. Throws Error where twice the iterations do not halve the distance any more. What was
  /// asked for one target is known to the next.
  State of(double target);

 private:
  State known_below(double target);
  State ask(std::int64_t iterations);
  std::int64_t guess(std::int64_t low, const State& high, std::int64_t end, double target) const;

  StateAfter state_after_;
  std::map<std::int64_t, double> known_;  ///< by iterations
};

}  // namespace uotbench
