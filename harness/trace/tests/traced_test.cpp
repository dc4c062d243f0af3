// Instrumented code is counted access by access, whatever it uses; what cannot be counted is said. The code
// stands in traced/code.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "harness/trace/tests/small_caches.hpp"
#include "harness/trace/tests/traced/code.hpp"
#include "harness/trace/threads/trace.hpp"

namespace uotbench::trace {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::size_t n = 1024;

class TracedTest : public testing::Test {
 protected:
  TracedTest() { options_.geometry = {lines(512), lines(1024), lines(2048)}; }
  ~TracedTest() override { omp_set_num_threads(before_); }

  Counts counted(const std::function<void()>& act, int threads = 1) {
    options_.threads = threads;
    omp_set_num_threads(threads);
#pragma omp parallel
    {}
    start(options_);
    act();
    return stop();
  }

  Options options_;
  alignas(64) float values_[n] = {};
  alignas(64) char bytes_[256] = {}, others_[256] = {};

 private:
  const int before_ = omp_get_max_threads();
};

// The canary: were one of these accesses lost, no other number could be believed.
TEST_F(TracedTest, EveryElementIsReadAndWritten) {
  const Counts counts = counted([&] { add_one(values_, n); });
  EXPECT_EQ(counts.reads, n);
  EXPECT_EQ(counts.writes, n);
  EXPECT_EQ(counts.l1_read_misses, n * sizeof(float) / line);
  EXPECT_EQ(counts.l1_write_misses, 0u);
  EXPECT_EQ(counts.dram_lines_written, n * sizeof(float) / line);
  EXPECT_THAT(counts.obstacle, IsEmpty());
}

TEST_F(TracedTest, WhatFollowsAMarkIsCountedApart) {
  for (const int threads : {1, 4}) {
    options_.threads = threads;
    omp_set_num_threads(threads);
    const Counts once = counted([&] { add_up(values_, 16, 100); }, threads);
    start(options_);
    add_up(values_, 16, 100);
    mark();
    add_up(values_, 16, 100);
    const Counts marked = stop();
    EXPECT_LT(marked.reads, once.reads + 100) << threads << ": a pass reads at least 100";
    EXPECT_LT(marked.steady.sharing, 10u) << "what a region is handed; each thread has lines of its own";
    EXPECT_EQ(once.steady.transfers, 0u) << threads;
  }
  start(options_);
  add_up(values_, 1, 100);
  mark();
  add_up(values_, 1, 100);
  const Counts neighbours = stop();
  EXPECT_GT(neighbours.steady.sharing, 300u) << "4 threads, a line";
  EXPECT_GT(neighbours.steady.transfers, 300u);
}

TEST_F(TracedTest, OnlyBetweenStartAndStop) {
  add_one(values_, n);
  EXPECT_EQ(counted([] {}).reads, 0u);
  add_one(values_, n);
  EXPECT_EQ(counted([&] { add_one(values_, 5); }).reads, 5u);
}

TEST_F(TracedTest, ThreadsTogetherDoAsMuch) {
  for (const int threads : {2, 3}) {
    const Counts counts = counted([&] { add_one_in_parallel(values_, n); }, threads);
    EXPECT_GE(counts.reads, n);
    EXPECT_LE(counts.reads, n + 8 * static_cast<unsigned>(threads))
        << "what OpenMP passes to each thread, too";
    EXPECT_EQ(counts.writes - n, counted([&] { add_one_in_parallel(values_, 0); }, threads).writes);
    EXPECT_THAT(counts.obstacle, IsEmpty());
  }
}

TEST_F(TracedTest, ParallelRegionsAreCounted) {
  EXPECT_EQ(counted([&] { add_one(values_, n); }).regions, 0u);
  for (const int threads : {1, 3}) {
    const auto twice = [&] {
      add_one_in_parallel(values_, n);
      add_one_in_parallel(values_, n);
    };
    EXPECT_EQ(counted(twice, threads).regions, 2u) << threads;
  }
}

// Two in each of its turns; the end of a region is none.
TEST_F(TracedTest, BarriersInRegionsAreCounted) {
  for (const int threads : {1, 2})
    EXPECT_EQ(counted([&] { hand_over(values_, 50); }, threads).barriers, 100u) << threads;
  EXPECT_EQ(counted([&] { add_one_in_parallel(values_, n); }, 3).barriers, 0u);
}

// Regions end with a barrier: shares are compared within each.
TEST_F(TracedTest, TheLongestShareIsTheBusiestThreadsBetweenBarriers) {
  const auto serial = [&] { add_one(values_, n); };
  const auto even = [&] { add_one_in_parallel(values_, n); };
  constexpr std::uint64_t few = 32;  // what OpenMP passes to each thread
  EXPECT_EQ(counted(serial).longest_share, 2 * n) << "reads and writes";
  EXPECT_EQ(counted(serial, 2).longest_share, 2 * n) << "the other thread has nothing to do";
  const std::uint64_t shared = counted(even, 2).longest_share;
  EXPECT_GE(shared, n);
  EXPECT_LE(shared, n + few);
  const auto both = [&] {
    serial();
    even();
  };
  const std::uint64_t apart = counted(both, 2).longest_share;
  EXPECT_GE(apart, 3 * n);
  EXPECT_LE(apart, 3 * n + few);
}

TEST_F(TracedTest, CopiesAndFillsAreCountedPieceByPiece) {
  Counts counts = counted([&] { copy_48(bytes_, others_); });
  EXPECT_EQ(counts.reads, 6u);
  EXPECT_EQ(counts.writes, 6u);
  counts = counted([&] { copy(bytes_, others_, 101); });
  EXPECT_EQ(counts.reads, 12u + 2u) << "twelve of 8 bytes, one of 4, one of 1";
  EXPECT_EQ(counts.writes, 14u);
  counts = counted([&] { move(bytes_, others_, 32); });
  EXPECT_EQ(counts.reads, 1u) << "a vector's size";
  counts = counted([&] { fill_200(bytes_); });
  EXPECT_EQ(counts.reads, 0u);
  EXPECT_EQ(counts.writes, 25u);
  counts = counted([&] { compare(bytes_, others_, 16); });
  EXPECT_EQ(counts.reads, 2u);
}

TEST_F(TracedTest, AssignmentsOfObjectsAreCountedInEights) {
  static Big to, from;
  const Counts counts = counted([&] { assign(to, from); });
  EXPECT_EQ(counts.reads, 6u);
  EXPECT_EQ(counts.writes, 6u);
}

TEST_F(TracedTest, ANumbersBytesAreReadOnce) {
  const Counts counts = counted([&] { number_at(others_); });
  EXPECT_EQ(counts.l1_write_misses, 0u) << "its place on the stack is the compiler's business";
  EXPECT_LE(counts.reads, 2u);
}

TEST_F(TracedTest, AtomicsAreCarriedOutAndCounted) {
  static int value = 1;
  int result = 0;
  const Counts counts = counted([&] { result = use_atomics(&value); });
  EXPECT_EQ(result, 10);
  // `expected` is on the stack and counted, too: two stores, and one where it was not met.
  EXPECT_EQ(counts.reads, 6u);
  EXPECT_GE(counts.writes, 5u);
}

TEST_F(TracedTest, NeighboursThatThreadsAddToAreFalseSharing) {
  constexpr int times = 100;
  const Counts counts = counted([&] { add_up(values_, 1, times); }, 2);
  EXPECT_GT(counts.false_sharing, 1.9 * times);
  EXPECT_LE(counts.true_sharing, 2u);
  ASSERT_FALSE(counts.false_sharing_lines.empty());
  EXPECT_THAT(counts.false_sharing_lines.front().at,
              HasSubstr("traced/code.cpp:" + std::to_string(add_up_line())));
  EXPECT_GT(counts.false_sharing_lines.front().count, 1.9 * times);
  EXPECT_EQ(values_[1], times) << "it was carried out";
}

TEST_F(TracedTest, APaddingOfALineEndsIt) {
  EXPECT_EQ(counted([&] { add_up(values_, 16, 100); }, 4).false_sharing, 0u);
}

TEST_F(TracedTest, WhatLiesBehindABarrierComesLater) {
  // The first of each three reads misses what was written before the barrier; all of them would, were writes
  // and reads made in turns.
  EXPECT_EQ(counted([&] { hand_over(values_, 50); }, 2).true_sharing, 49u);
}

TEST_F(TracedTest, TheSameProgramCountsTheSame) {
  const auto run = [&] { return counted([&] { add_up(values_, 4, 1000); }, 4); };
  const Counts first = run(), second = run();
  EXPECT_EQ(first.reads, second.reads);
  EXPECT_EQ(first.l1_read_misses, second.l1_read_misses);
  EXPECT_EQ(first.l2_misses, second.l2_misses);
  EXPECT_EQ(first.l3_misses, second.l3_misses);
  EXPECT_EQ(first.dram_lines_written, second.dram_lines_written);
  EXPECT_EQ(first.false_sharing, second.false_sharing);
  EXPECT_EQ(first.true_sharing, second.true_sharing);
}

TEST_F(TracedTest, AMissingBarrierIsARaceBetweenTwoLines) {
  options_.races = true;
  const auto [writes, reads] = lines_of_race();
  double count = 0;
  for (int run = 0; run < 3; ++run) {
    const Counts counts = counted([&] { use_too_early(values_, n); }, 4);
    EXPECT_THAT(counts.race_obstacle, IsEmpty());
    ASSERT_EQ(counts.races.size(), 1u);
    const ThreadRace& race = counts.races.front();
    EXPECT_NE(race.first.write, race.second.write);
    const auto& writer = race.first.write ? race.first : race.second;
    const auto& reader = race.first.write ? race.second : race.first;
    EXPECT_THAT(writer.at, testing::EndsWith("traced/code.cpp:" + std::to_string(writes)));
    EXPECT_THAT(reader.at, testing::EndsWith("traced/code.cpp:" + std::to_string(reads)));
    if (run > 0) EXPECT_EQ(race.count, count) << "the same in every run";
    count = race.count;
  }
  EXPECT_GE(count, 3. * n / 4) << "three of four threads read each value too early, or write it too late";
  EXPECT_THAT(counted([&] { use_too_early(values_, n); }, 1).races, IsEmpty());
}

TEST_F(TracedTest, WhatIsOrderedIsNoRace) {
  options_.races = true;
  options_.caches = false;
  int value = 0;
  const std::vector<std::function<void()>> acts{
      [&] { add_one_in_parallel(values_, n); }, [&] { hand_over(values_, 50); },
      [&] { add_up(values_, 1, 100); },         [&] { add_in_turn(values_, n); },
      [&] { add_one_dynamically(values_, n); }, [&] { add_one_by_whoever_comes(values_, n); },
      [&] { hand_over_by_a_flag(&value); },     [&] { make_once(); }};
  for (std::size_t i = 0; i < acts.size(); ++i)
    for (const int threads : {2, 4}) {
      const Counts counts = counted(acts[i], threads);
      EXPECT_THAT(counts.race_obstacle, IsEmpty()) << i;
      EXPECT_TRUE(counts.races.empty())
          << i << ": " << counts.races.front().first.at << ", " << counts.races.front().second.at;
    }
}

TEST_F(TracedTest, ARelaxedFlagOrdersNothing) {
  options_.races = true;
  int value = 0;
  EXPECT_EQ(counted([&] { hand_over_by_a_relaxed_flag(&value); }, 2).races.size(), 1u);
}

TEST_F(TracedTest, WhoseRacesCannotBeFoundIsSaid) {
  options_.races = true;
  EXPECT_THAT(counted([&] { make_by_tasks(values_, n); }, 2).race_obstacle, HasSubstr("tasks"));
  EXPECT_THAT(counted([&] { add_one_elsewhere(values_, n); }, 2).race_obstacle,
              StartsWith("a thread that no parallel region of OpenMP"));
}

TEST_F(TracedTest, AThreadOfTheCodesOwnIsSaid) {
  for (const int threads : {1, 2})
    EXPECT_THAT(counted([&] { add_one_elsewhere(values_, n); }, threads).obstacle,
                StartsWith("a thread that no parallel region of OpenMP"));
}

TEST_F(TracedTest, AScheduleThatDiffersFromRunToRunIsSaid) {
  EXPECT_THAT(counted([&] { add_one_dynamically(values_, n); }, 2).obstacle,
              StartsWith("which thread does what differs from run to run"));
  const Counts alone = counted([&] { add_one_dynamically(values_, n); }, 1);
  EXPECT_THAT(alone.obstacle, IsEmpty());
  EXPECT_GE(alone.writes, n);
  EXPECT_EQ(values_[n - 1], 2) << "it was carried out";
  // Region and loop in one call.
  EXPECT_THAT(counted([&] { add_one_by_whoever_comes(values_, n); }, 1).obstacle, IsEmpty());
  EXPECT_EQ(values_[n - 1], 3);
}

TEST_F(TracedTest, MoreThreadsThanAreTracedAreSaid) {
  options_.threads = 1;
  omp_set_num_threads(3);
  start(options_);
  add_one_in_parallel(values_, n);
  EXPECT_EQ(stop().obstacle, "OpenMP started more threads than are traced");
}

TEST_F(TracedTest, ATeamOfOneInARegionIsItsThread) {
  omp_set_max_active_levels(1);
  EXPECT_GE(counted([&] { add_one_nested(values_, n); }, 1).reads, n);
}

TEST_F(TracedTest, ALogOverItsCapSaysWhatWouldFit) {
  options_.log_cap = 80000;  // 10000 accesses
  EXPECT_THAT(counted([&] { add_up(values_, 16, 1000); }, 2).obstacle, IsEmpty());
  const std::string obstacle = counted([&] { add_up(values_, 16, 10000); }, 2).obstacle;
  EXPECT_THAT(obstacle,
              StartsWith("the accesses of 2 threads take 0.00032 GB of log and 8e-05 GB are allowed; "));
  EXPECT_THAT(obstacle, testing::EndsWith("% of them would fit"));
}

TEST_F(TracedTest, IsMadeOneAtATime) {
  EXPECT_THROW(stop(), std::logic_error);
  start(options_);
  EXPECT_THROW(start(options_), std::logic_error);
  stop();
  Options wrong = options_;
  wrong.geometry.l1.bytes = 1000;
  EXPECT_THROW(start(wrong), std::invalid_argument);
  EXPECT_EQ(counted([&] { add_one(values_, 3); }).reads, 3u) << "and goes on";
}

}  // namespace
}  // namespace uotbench::trace
