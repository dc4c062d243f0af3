// Sequences short enough to be counted by hand, through all levels.
#include "harness/trace/threads/hierarchy.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/trace/tests/small_caches.hpp"

namespace uotbench::trace {
namespace {

std::string complaint(const Geometry& geometry, int cores) {
  try {
    const Hierarchy caches(geometry, cores);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(HierarchyTest, AFirstReadMissesEverywhereASecondNowhere) {
  const Counts counts = Caches().read(0).read(60).counts();
  EXPECT_EQ(counts.reads, 2u);
  EXPECT_EQ(counts.l1_read_misses, 1u);
  EXPECT_EQ(counts.l2_misses, 1u);
  EXPECT_EQ(counts.l3_misses, 1u);
  EXPECT_EQ(counts.dram_lines_read, 1u);
  EXPECT_EQ(counts.dram_lines_written, 0u);
}

TEST(HierarchyTest, WhatFallsOutOfOneLevelIsFoundInTheNext) {
  EXPECT_EQ(Caches().read_lines(0, 2).read(0).counts().l2_misses, 3u) << "L2 has 0, L1 has not";
  const Counts counts = Caches().read_lines(0, 5).read(0).counts();
  EXPECT_EQ(counts.l1_read_misses, 7u);
  EXPECT_EQ(counts.l2_misses, 7u);
  EXPECT_EQ(counts.l3_misses, 6u) << "only L3 has 0";
  EXPECT_EQ(Caches().read_lines(0, 8).read(0).counts().l3_misses, 10u) << "nine lines are one too many";
}

TEST(HierarchyTest, CachesDoNotIncludeOneAnother) {
  // 0 is used in L1 all the time, so that L2 and L3 forget it, and L1 does not.
  Caches caches;
  for (std::uint64_t other = 1; other <= 10; ++other) caches.read(0).read(other * line);
  EXPECT_EQ(caches.read(0).counts().l1_read_misses, 11u);
}

TEST(HierarchyTest, AWriteFetchesItsLineFirst) {
  const Counts counts = Caches().write(0).counts();
  EXPECT_EQ(counts.writes, 1u);
  EXPECT_EQ(counts.l1_write_misses, 1u);
  EXPECT_EQ(counts.l1_read_misses, 0u);
  EXPECT_EQ(counts.dram_lines_read, 1u);
  EXPECT_EQ(counts.dram_lines_written, 1u) << "it is left dirty";
}

TEST(HierarchyTest, DirtyLinesAreWrittenBackLevelByLevel) {
  Counts counts = Caches().write_lines(0, 2).counts();
  EXPECT_EQ(counts.l1_write_backs, 1u);
  EXPECT_EQ(counts.l2_write_backs, 0u);
  EXPECT_EQ(counts.dram_lines_written, 3u) << "once each, wherever they are left";
  // 0 leaves L1 as 2 comes, which makes it L2's most recent; four more, and it leaves L2.
  counts = Caches().write(0).read_lines(1, 6).counts();
  EXPECT_EQ(counts.l1_write_backs, 1u);
  EXPECT_EQ(counts.l2_write_backs, 1u);
  EXPECT_EQ(counts.dram_lines_written, 1u);
  Caches caches;
  counts = caches.write(0).read_lines(1, 20).counts();
  EXPECT_EQ(counts.dram_lines_written, 1u) << "written on the way, and not left";
  EXPECT_EQ(caches.read(0).counts().l3_misses, 22u);
}

TEST(HierarchyTest, ALineDirtyInTwoLevelsIsWrittenOnce) {
  // Dirty in L2 and, read back and written, in L1.
  EXPECT_EQ(Caches().write(0).read_lines(1, 2).write(0).counts().dram_lines_written, 1u);
}

TEST(HierarchyTest, WithoutL3MissesOfL2GoToMemory) {
  const Geometry two{lines(1), lines(2), {}};
  const Counts counts = Caches(1, two).write(0).read_lines(1, 3).read(0).counts();
  EXPECT_EQ(counts.l2_misses, 5u);
  EXPECT_EQ(counts.dram_lines_read, 5u);
  EXPECT_EQ(counts.dram_lines_written, 1u);
}

TEST(HierarchyTest, AnAccessOfTwoLinesIsOneAndTouchesBoth) {
  for (const int cores : {1, 2}) {
    Caches caches(cores);
    const Counts counts = caches.read(60, 0, 8).counts();
    EXPECT_EQ(counts.reads, 1u);
    EXPECT_EQ(counts.l1_read_misses, 2u);
    EXPECT_EQ(caches.read(0).read(64).counts().l1_read_misses, 2u);
    EXPECT_EQ(Caches(cores).read(56, 0, 8).counts().l1_read_misses, 1u) << "this one ends with its line";
  }
}

TEST(HierarchyTest, OneCoreOfSeveralCountsAsOneAlone) {
  Caches alone(1), among(4);
  std::uint64_t random = 1;
  for (int i = 0; i < 20000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;  // Knuth's, as in MMIX
    const std::uint64_t address = (random >> 33) % (40 * line);
    for (Caches* caches : {&alone, &among})
      random >> 63 ? caches->write(address, 0, 8) : caches->read(address, 0, 8);
  }
  const Counts a = alone.counts(), b = among.counts();
  EXPECT_EQ(a.l1_read_misses, b.l1_read_misses);
  EXPECT_EQ(a.l1_write_misses, b.l1_write_misses);
  EXPECT_EQ(a.l2_misses, b.l2_misses);
  EXPECT_EQ(a.l3_misses, b.l3_misses);
  EXPECT_EQ(a.l1_write_backs, b.l1_write_backs);
  EXPECT_EQ(a.l2_write_backs, b.l2_write_backs);
  EXPECT_EQ(a.dram_lines_written, b.dram_lines_written);
  EXPECT_EQ(b.true_sharing + b.false_sharing, 0u);
}

TEST(HierarchyTest, SaysWhatItCannotSimulate) {
  EXPECT_EQ(complaint(small(), 65), "caches of 65 cores; 1 to 64 can be simulated");
  EXPECT_EQ(complaint(small(), 0), "caches of 0 cores; 1 to 64 can be simulated");
  Geometry mixed = small();
  mixed.l2.line = 128;
  EXPECT_EQ(complaint(mixed, 1), "caches with lines of different lengths cannot be simulated");
  EXPECT_EQ(complaint(small(), 64), "");
}

}  // namespace
}  // namespace uotbench::trace
