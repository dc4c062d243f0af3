// What several processes counted is their mean; what all counted alike is exactly that, for a gate compares
// it so.
#include "harness/sweep/run/timed_work.hpp"

#include <gtest/gtest.h>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

Work counted_work(double flops) { return {.flops = flops, .counted = true}; }

TEST(TimedWork, OfEqualCountsIsThatCount) {
  for (const double flops : {7., 49., 0.1, 1e300 / 3}) {
    std::optional<Work> mean;
    for (std::size_t process = 1; process <= 49; ++process) take_work(mean, counted_work(flops), process);
    EXPECT_EQ(mean->flops, flops);
  }
}

TEST(TimedWork, IsTheMeanOfTheTimedProcesses) {
  std::optional<Work> mean = Work{.flops = 1000};  // the judged process's model
  for (std::size_t process = 1; process <= 3; ++process)
    take_work(mean, counted_work(10 * static_cast<double>(process)), process);
  EXPECT_DOUBLE_EQ(mean->flops, 20);
  EXPECT_TRUE(mean->counted);
}

TEST(TimedWork, LeavesAModelAsItWasJudged) {
  std::optional<Work> mean = Work{.flops = 1000};
  take_work(mean, Work{.flops = 5}, 1);
  take_work(mean, std::nullopt, 2);
  EXPECT_EQ(mean->flops, 1000);
}

// A worker that tells it with its times alone.
TEST(TimedWork, TakesAModelWhereNoneWasToldBefore) {
  std::optional<Work> mean;
  take_work(mean, std::nullopt, 1);
  EXPECT_FALSE(mean);
  take_work(mean, Work{.flops = 5}, 2);
  ASSERT_TRUE(mean);
  EXPECT_EQ(mean->flops, 5);
  EXPECT_FALSE(mean->counted);
}

}  // namespace
}  // namespace uotbench
