// The first state below a target is found with few states, also beyond a solve's own end, or it is said why
// not.
#include "harness/sweep/run/first_below.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

/// A solver whose distance is `found(n)` and that can stop after every `every`th iteration.
struct Solver {
  std::function<double(std::int64_t)> found;
  std::int64_t every = 1;
  int states = 0;

  FirstBelow search(std::int64_t end) {
    return {[this](std::int64_t asked) {
              ++states;
              const std::int64_t made = (asked + every - 1) / every * every;
              return State{made, found(made)};
            },
            {end, found(end)}};
  }
};

double by_a_tenth(std::int64_t n) { return std::pow(10, -static_cast<double>(n) / 10); }

TEST(FirstBelow, IsTheFirst) {
  Solver solver{by_a_tenth};
  FirstBelow search = solver.search(70);
  for (const auto& [target, first] : {std::pair{1e-2 * 1.0001, 20}, {1e-4 * 1.0001, 40}, {3e-6, 56}}) {
    const State state = search.of(target);
    EXPECT_EQ(state.iterations, first) << target;
    EXPECT_EQ(state.found, by_a_tenth(first));
  }
  EXPECT_LE(solver.states, 18) << "what shrinks by a factor is found by it, not by trying all";
  EXPECT_EQ(search.of(1).iterations, 1) << "already the first";
}

TEST(FirstBelow, MayLieBeyondTheSolvesOwnEnd) {
  Solver solver{by_a_tenth};
  EXPECT_EQ(solver.search(7).of(1.0001e-4).iterations, 40);
}

TEST(FirstBelow, TakesWhatASolverCanStopAfter) {
  for (const std::int64_t every : {3, 10}) {
    Solver solver{by_a_tenth, every};
    const State state = solver.search(60 / every * every).of(1e-3);
    EXPECT_EQ(state.iterations, (30 + every - 1) / every * every);
    EXPECT_LE(solver.states, 12);
  }
}

TEST(FirstBelow, IsFoundWhereTheRateChanges) {
  // Slow for 900 iterations, then fast: the worst for a search that trusts one rate.
  Solver solver{[](std::int64_t n) {
    return n < 900 ? 1 - static_cast<double>(n) * 1e-4 : .5 * std::pow(.5, static_cast<double>(n - 900));
  }};
  EXPECT_EQ(solver.search(1000).of(1e-6).iterations, 919);
  EXPECT_LE(solver.states, 24);
}

TEST(FirstBelow, SaysWhereTheDistanceStays) {
  Solver rounded{[](std::int64_t n) { return std::max(3e-5, by_a_tenth(n)); }};
  FirstBelow search = rounded.search(40);
  EXPECT_EQ(search.of(1.0001e-2).iterations, 20);
  try {
    search.of(1e-6);
    FAIL() << "nothing is below";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "it stays above: 3e-05 after 80 iterations, 3e-05 after 160");
  }
}

TEST(FirstBelow, TakesNoStateBeforeTheOneAskedFor) {
  FirstBelow search([](std::int64_t asked) { return State{asked - 1, 1}; }, {10, 1});
  EXPECT_THROW(search.of(.1), Error);
}

}  // namespace
}  // namespace uotbench
