// How far apart two clocks are is known to half of the quickest round trip, and a clock that was set is
// found.
#include "harness/worker/mpi/clock_offset.hpp"

#include <gtest/gtest.h>

#include <array>

namespace uotbench {
namespace {

/// Two clocks and the way between them: what is asked arrives after `there`, its answer after `back`.
struct TwoClocks {
  double ahead, here = 100;
  std::array<std::pair<double, double>, 3> ways{{{3e-5, 1e-5}, {1e-6, 2e-6}, {8e-5, 9e-5}}};
  std::size_t asked = 0;

  ClockOffset measured() {
    return clock_offset(
        3, [this] { return here; },
        [this] {
          const auto [there, back] = ways[asked++ % ways.size()];
          const double told = here + there + ahead;
          here += there + back;
          return told;
        });
  }
};

TEST(ClockOffset, IsKnownByTheQuickestRoundTrip) {
  const ClockOffset offset = TwoClocks{.ahead = 2.5}.measured();
  EXPECT_NEAR(offset.error, 1.5e-6, 1e-9);
  EXPECT_NEAR(offset.seconds, 2.5, offset.error);
  EXPECT_EQ(correction(offset), offset.seconds);
}

TEST(ClockOffset, IsNotTakenOffWhereItMayBeNone) {
  const ClockOffset offset = TwoClocks{.ahead = 0}.measured();
  EXPECT_NE(offset.seconds, 0) << "the ways are not of one length";
  EXPECT_EQ(correction(offset), 0);
}

TEST(ClockOffset, OfAClockThatJumpsIsFound) {
  const ClockOffset before = TwoClocks{.ahead = 2.5}.measured();
  EXPECT_FALSE(moved(before, TwoClocks{.ahead = 2.5 + 1e-5}.measured(), 1e-4));
  EXPECT_TRUE(moved(before, TwoClocks{.ahead = 2.5 + 1e-3}.measured(), 1e-4));
  EXPECT_FALSE(moved(before, {.seconds = 2.6, .error = 1}, 1e-4)) << "nobody knows";
}

}  // namespace
}  // namespace uotbench
