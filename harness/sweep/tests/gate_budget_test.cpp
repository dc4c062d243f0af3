// A gate promises to end in time; where that leaves too few pairs it must say so before it begins.
#include <gtest/gtest.h>

#include "harness/sweep/gate/budget.hpp"

namespace uotbench {
namespace {

// Two processes of every case a pair, and three of the longest for its confirmation.
TEST(GateBudget, CountsAScreenOfAllAndAConfirmationOfTheLongest) {
  const std::vector<double> processes{0.2, 0.5};
  EXPECT_DOUBLE_EQ(seconds_needed(24, processes), 24 * (2 * 0.7 + 3 * 0.5));
}

TEST(GateBudget, TakesFewerPairsWhereTimeIsShort) {
  const std::vector<double> processes{0.2, 0.5};
  EXPECT_EQ(affordable_look(1000, 24, 10, processes), 24u);
  const auto look = affordable_look(seconds_needed(15, processes), 24, 10, processes);
  ASSERT_TRUE(look);
  EXPECT_EQ(*look, 14u);  // whole blocks of two pairs
  EXPECT_EQ(affordable_look(seconds_needed(10, processes) - 1e-6, 24, 10, processes), std::nullopt);
  EXPECT_EQ(affordable_look(-5, 24, 10, processes), std::nullopt);
}

// A confirmation that does not fit whole is made with what fits: dropped, a slowdown would pass.
TEST(GateBudget, ShortensALookToWhatFits) {
  const std::vector<AbRequest> whole{{0, 24, true}, {1, 24, true}};
  auto requests = whole;
  EXPECT_TRUE(shorten(requests, 100, 100, 10));
  EXPECT_EQ(requests[0].pairs, 24u);
  EXPECT_TRUE(shorten(requests, 65, 100, 10));
  EXPECT_EQ(requests[0].pairs, 14u);  // 15.6, in whole blocks
  EXPECT_EQ(requests[1].pairs, 14u);
  requests = whole;
  for (const double left : {40., 0., -5.}) {
    EXPECT_FALSE(shorten(requests, left, 100, 10)) << left;
    EXPECT_EQ(requests[1].pairs, 24u);
  }
}

}  // namespace
}  // namespace uotbench
