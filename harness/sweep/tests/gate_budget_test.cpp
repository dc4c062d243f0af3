// A gate promises to end in time; where that leaves too few pairs it must say so before it begins.
#include "harness/sweep/gate_budget.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace uotbench
