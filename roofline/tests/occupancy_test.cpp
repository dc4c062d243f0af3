// Occupancy follows from what a kernel was launched with; the multiprocessor is that of an RTX 2080 Ti.
#include "roofline/model/occupancy.hpp"

#include <gtest/gtest.h>

#include "results/tests/made_ladder.hpp"

namespace uotbench {
namespace {

constexpr Multiprocessor turing{.count = 68, .threads = 1024, .blocks = 16, .shared_bytes = 65536};

// The published profile of the naive kernel: 8 blocks by warps, 100%, 0.24 waves.
TEST(Occupancy, OfTheNaiveKernelIsWholeButItsGridFillsNoQuarter) {
  const Occupancy occupancy = occupancy_of({.blocks = 128, .threads = 128}, turing);
  EXPECT_EQ(occupancy.blocks, 8);
  EXPECT_EQ(occupancy.limited_by, "threads");
  EXPECT_EQ(occupancy.theoretical, 1);
  EXPECT_NEAR(occupancy.fill, 0.235, 5e-4);
}

// Published: 75% at most.
TEST(Occupancy, OfSharedBuffersIsThreeQuarters) {
  const Occupancy occupancy =
      occupancy_of({.blocks = 1024, .threads = 256, .shared_bytes = (2 * 16 * 128 + 16 * 16) * 4}, turing);
  EXPECT_EQ(occupancy.blocks, 3);
  EXPECT_EQ(occupancy.limited_by, "shared memory");
  EXPECT_EQ(occupancy.theoretical, 0.75);
  EXPECT_EQ(occupancy.fill, 1);
}

TEST(Occupancy, CountsWholeWarpsAndTheLimitOfBlocks) {
  const Occupancy odd = occupancy_of({.blocks = 1, .threads = 33}, turing);
  EXPECT_EQ(odd.blocks, 16) << "of two warps each";
  EXPECT_EQ(odd.theoretical, 1);
  const Occupancy small = occupancy_of({.blocks = 1, .threads = 32}, turing);
  EXPECT_EQ(small.blocks, 16);
  EXPECT_EQ(small.limited_by, "blocks");
  EXPECT_EQ(small.theoretical, 0.5);
}

TEST(Occupancy, OfABlockThatDoesNotFitIsNone) {
  const Occupancy occupancy = occupancy_of({.blocks = 4, .threads = 64, .shared_bytes = 65537}, turing);
  EXPECT_EQ(occupancy.blocks, 0);
  EXPECT_EQ(occupancy.theoretical, 0);
  EXPECT_EQ(occupancy.fill, 0);
}

TEST(LaunchShape, IsThatOfTheOneLaunchCounted) {
  std::string why;
  const Record record = counted_with(
      ladder_record("match/a", 1, "w", 1),
      {{"GPU.launches", 1}, {"GPU.blocks", 16}, {"GPU.threads", 4096}, {"GPU.shared_bytes", 16 * 17408.}});
  const auto shape = launch_shape_of(record, why);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->blocks, 16);
  EXPECT_EQ(shape->threads, 256);
  EXPECT_EQ(shape->shared_bytes, 17408);
}

TEST(LaunchShape, OfSeveralLaunchesOrNoneIsAbsent) {
  std::string why;
  const Record two =
      counted_with(ladder_record("match/a", 1, "w", 1),
                   {{"GPU.launches", 2}, {"GPU.blocks", 16}, {"GPU.threads", 4096}, {"GPU.shared_bytes", 0}});
  EXPECT_FALSE(launch_shape_of(two, why));
  EXPECT_EQ(why, "it is reported for one launch, and 2 were counted");
  EXPECT_FALSE(launch_shape_of(ladder_record("match/a", 1, "w", 1), why));
  EXPECT_EQ(why, "GPU.launches: not counted");
}

}  // namespace
}  // namespace uotbench
