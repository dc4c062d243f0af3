#include "harness/sweep/run/first_below.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/error.hpp"

namespace uotbench {

State FirstBelow::of(double target) {
  State best = known_below(target);
  // Stops that nobody has looked at are above `low` and below `end`.
  std::int64_t low = 0, end = best.iterations;
  for (const auto& [iterations, found] : known_)
    if (iterations < best.iterations && found > target) low = iterations;
  for (bool halve = false; end - low > 1; halve = !halve) {
    const std::int64_t asked = halve ? low + (end - low) / 2 : guess(low, best, end, target);
    const State state = ask(asked);
    if (state.iterations < best.iterations && state.found > target) {
      low = state.iterations;
    } else {  // it does not stop from `asked` to there
      end = asked;
      if (state.iterations < best.iterations) best = state;
    }
  }
  return best;
}

/// The first known one, or one beyond all that are known.
State FirstBelow::known_below(double target) {
  for (;;) {
    for (const auto& [iterations, found] : known_)
      if (found <= target) return {iterations, found};
    const auto [iterations, found] = *known_.rbegin();
    const State next = ask(2 * iterations);
    if (!(next.found <= std::max(target, found / 2)))
      throw Error(fmt::format("it stays above: {:.2g} after {} iterations, {:.2g} after {}", found,
                              iterations, next.found, next.iterations));
  }
}

State FirstBelow::ask(std::int64_t iterations) {
  const State state = state_after_(iterations);
  if (state.iterations < iterations)
    throw Error(fmt::format("it stopped after {} iterations, asked for {}", state.iterations, iterations));
  known_[state.iterations] = state.found;
  return state;
}

/// As if the distance shrank by the same factor each time.
std::int64_t FirstBelow::guess(std::int64_t low, const State& high, std::int64_t end, double target) const {
  const auto known = known_.find(low);
  if (known == known_.end() || !std::isfinite(known->second)) return low + (end - low) / 2;
  constexpr double least = 1e-300;
  const double way = std::log(known->second / target),
               all = std::log(known->second / std::max(high.found, least));
  const double steps = std::ceil(static_cast<double>(high.iterations - low) * way / all);
  return std::clamp(low + static_cast<std::int64_t>(steps), low + 1, end - 1);
}

}  // namespace uotbench
