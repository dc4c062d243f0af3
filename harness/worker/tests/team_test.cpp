// Subnormal numbers are 0 only while a team that flushes them is at work, in all its threads.
#include "harness/worker/team.hpp"

#include <gmock/gmock.h>
#include <omp.h>

#include <limits>
#include <thread>
#include <vector>

namespace uotbench {
namespace {

using testing::Each;
using testing::Gt;

/// Half of the least normal number.
float subnormal_product() {
  volatile float least = std::numeric_limits<float>::min(), half = .5F;
  volatile float product = least * half;
  return product;
}
/// A subnormal number, taken for 0 or not, times 2^24.
float product_of_subnormal() {
  volatile float subnormal = std::numeric_limits<float>::denorm_min() * 1024, factor = 16777216;
  volatile float product = subnormal * factor;
  return product;
}

std::vector<float> in_all_threads(float (*computed)(), int threads) {
  std::vector<float> results(static_cast<std::size_t>(threads), -1);
#pragma omp parallel num_threads(threads)
  results[static_cast<std::size_t>(omp_get_thread_num())] = computed();
  return results;
}

class Denormals : public testing::TestWithParam<bool> {
 protected:
  float (*const computed)() = GetParam() ? product_of_subnormal : subnormal_product;
};

TEST_P(Denormals, AreKeptButByATeamThatFlushes) {
  if (!Team::can_flush) GTEST_SKIP() << "no such mode";
  const Team keeping(3, {});
  EXPECT_THAT(in_all_threads(computed, 3), Each(Gt(0)));
  const Team flushing(Settings{.threads = 3, .flushes = true}, {});
  EXPECT_THAT(in_all_threads(computed, 3), Each(0));
  float own = -1;
  std::thread([&] {
    flushing.enter(1);
    own = computed();
  }).join();
  EXPECT_EQ(own, 0) << "a thread of the kernel's own";
  flushing.keep_denormals();
  EXPECT_THAT(in_all_threads(computed, 3), Each(Gt(0)));
}

INSTANTIATE_TEST_SUITE_P(AsOperandsOrResults, Denormals, testing::Bool());

}  // namespace
}  // namespace uotbench
