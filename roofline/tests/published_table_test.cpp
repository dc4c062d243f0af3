// Published and ours stand side by side with a ratio that claims no more digits than were published.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/tests/made_ladder.hpp"
#include "results/tests/table_texts.hpp"
#include "roofline/tables/tables.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PublishedTable, HoldsOursBesideThem) {
  const auto run = made_ladder();
  const auto tables = published_tables(view_of(run));
  ASSERT_EQ(tables.size(), 2u);
  const auto& table = tables[0];
  EXPECT_EQ(table.title, "Compared with published values");
  EXPECT_THAT(table.about, HasSubstr("Published: A. Nobody, slides. A problem of 4e-06 GFLOP"));
  EXPECT_THAT(texts_of(table),
              ElementsAre(ElementsAre("A card"),
                          ElementsAre("gpu1", "flop rate", "8 kFLOP/s", "-", "-", "-", "-", "-"),
                          ElementsAre("gpu2", "flop rate", "16 kFLOP/s", "-", "-", "-", "-", "-"),
                          ElementsAre("gpu2", "GPU.loads", "1601", "1600", "0.9994", "40",
                                      "match/gpu2/N:3@simt-trace", "simt-trace, simulated"),
                          ElementsAre("gpu2", "GPU.conflicts", "1.6k", "1760", "1.1", "40",
                                      "match/gpu2/N:3@simt-trace", "simt-trace, simulated"),
                          ElementsAre("A box"),
                          ElementsAre("cpu1", "flop rate", "2 kFLOP/s", "5.000 kFLOP/s", "2.5", "-",
                                      "match/cpu1/N:5@native", "native, measured")));
  EXPECT_THAT(table.notes, ElementsAre("no flop rate of gpu1: not timed by simt",
                                       "no flop rate of gpu2: skipped: no GPU here"));
}

TEST(PublishedTable, ShowsOccupancyBesideThePublishedOne) {
  const auto run = made_ladder();
  const auto table = published_tables(view_of(run)).at(1);
  EXPECT_EQ(table.title, "Theoretical occupancy");
  EXPECT_THAT(table.about, HasSubstr("Registers and what a kernel declares as shared itself are not known"));
  EXPECT_THAT(texts_of(table),
              ElementsAre(ElementsAre("A card"),
                          ElementsAre("gpu1", "-", "-", "-", "-", "-", "100.0%", "19.9%", "-", "-"),
                          ElementsAre("gpu2", "256", "17.0 KiB", "3", "shared memory", "75.0%", "75.0%", "-",
                                      "7.8%", "match/gpu2/N:3@simt-trace")));
  EXPECT_THAT(table.notes, ElementsAre("no launch of gpu1: GPU.launches: not counted"));
}

TEST(PublishedTable, NamesWhatTheRunHasNoCaseOf) {
  const auto run = run_with({timed(ladder_record("match/cpu1", 4, "native", 1000), 0.25)});
  const auto tables = published_tables(view_of(run));
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_THAT(tables[0].notes, ElementsAre("published, and not among these cases: gpu1, gpu2"));
}

TEST(PublishedTable, IsAbsentWhereNothingWasPublished) {
  const auto run = run_with({timed(ladder_record("match/cpu1", 4, "native", 1000), 0.25)}, nullptr);
  EXPECT_TRUE(published_tables(view_of(run)).empty());
  EXPECT_TRUE(published_json(view_of(run)).is_null());
}

TEST(PublishedJson, HasBaseUnitsAndReasons) {
  const auto run = made_ladder();
  const Json json = published_json(view_of(run));
  EXPECT_EQ(json["flops"], 4000);
  ASSERT_EQ(json["rows"].size(), 5u);
  EXPECT_EQ(json["rows"][1]["ours"], nullptr);
  EXPECT_EQ(json["rows"][1]["reason"], "skipped: no GPU here");
  EXPECT_EQ(json["rows"][2]["ours"], 1600);
  EXPECT_EQ(json["rows"][2]["scale"], 40);
  EXPECT_EQ(json["rows"][2]["id"], "match/gpu2/N:3@simt-trace");
  EXPECT_EQ(json["rows"][2]["reason"], nullptr);
  ASSERT_EQ(json["occupancy"].size(), 2u);
  EXPECT_EQ(json["occupancy"][1]["theoretical"], 0.75);
  EXPECT_EQ(json["occupancy"][1]["published_theoretical"], 0.75);
  EXPECT_EQ(json["occupancy"][0]["theoretical"], nullptr);
  EXPECT_EQ(json["occupancy"][0]["published_achieved"], 0.1987);
}

// Occupancy follows from what a kernel was launched with; the multiprocessor is that of an RTX 2080 Ti.

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
