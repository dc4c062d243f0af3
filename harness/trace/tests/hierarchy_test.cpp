// A cache holds what it was told last, set by set, and says what had to go.
#include "harness/trace/threads/hierarchy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "harness/trace/tests/small_caches.hpp"

namespace uotbench::trace {
namespace {

std::string complaint(const CacheShape& shape) {
  try {
    const Cache cache(shape);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(CacheTest, TheLeastRecentlyUsedLineGoes) {
  Cache cache({.bytes = 3 * 64, .ways = 3});
  for (const std::uint64_t line : {10, 11, 12}) cache.insert(line, false);
  EXPECT_TRUE(cache.touch(10, false));  // now 11 is the oldest
  EXPECT_EQ(cache.insert(13, false).line, 11u);
  EXPECT_TRUE(cache.holds(10));
  EXPECT_FALSE(cache.touch(11, false));
  EXPECT_EQ(cache.insert(14, false).line, 12u);
}

TEST(CacheTest, LinesOfOneSetPushEachOtherOutThoughOthersAreFree) {
  Cache cache({.bytes = 4 * 64, .ways = 1});
  cache.insert(1, false);
  EXPECT_EQ(cache.insert(5, false).line, 1u);
  cache.insert(2, false);
  EXPECT_TRUE(cache.holds(5));
}

TEST(CacheTest, SetsNeedBeNoPowerOfTwo) {
  Cache cache({.bytes = 3 * 64, .ways = 1});
  for (const std::uint64_t line : {0, 1, 2}) EXPECT_FALSE(cache.insert(line, true).dirty);
  EXPECT_EQ(cache.insert(4, false).line, 1u);
  EXPECT_TRUE(cache.holds(0));
}

TEST(CacheTest, ALineStaysDirtyUntilItGoesOrIsCleaned) {
  Cache cache({.bytes = 2 * 64, .ways = 2});
  cache.insert(1, false);
  EXPECT_TRUE(cache.touch(1, true));
  cache.insert(2, true);
  EXPECT_TRUE(cache.touch(1, false)) << "read after it was written";
  EXPECT_TRUE(cache.holds_dirty(1));
  std::vector<std::uint64_t> dirty;
  cache.each_dirty([&](std::uint64_t line) { dirty.push_back(line); });
  EXPECT_THAT(dirty, testing::ElementsAre(1, 2));
  EXPECT_TRUE(cache.clean(2));
  EXPECT_FALSE(cache.clean(2));
  EXPECT_FALSE(cache.insert(3, false).dirty) << "2 went, clean";
  const Cache::Victim victim = cache.insert(4, false);
  EXPECT_EQ(victim.line, 1u);
  EXPECT_TRUE(victim.dirty);
}

TEST(CacheTest, ARemovedLineLeavesRoom) {
  Cache cache({.bytes = 2 * 64, .ways = 2});
  cache.insert(1, true);
  cache.insert(2, false);
  EXPECT_TRUE(cache.remove(2));
  EXPECT_FALSE(cache.remove(2));
  EXPECT_FALSE(cache.insert(3, false).dirty) << "there was room beside 1";
  EXPECT_TRUE(cache.holds_dirty(1));
}

TEST(CacheTest, SaysWhatShapeItDoesNotTake) {
  EXPECT_EQ(complaint({.bytes = 1000, .ways = 8}),
            "a cache of 1000 bytes is no whole number of sets of 8 lines of 64 bytes");
  EXPECT_EQ(complaint({.bytes = 1024, .ways = 0}),
            "a cache of 1024 bytes is no whole number of sets of 0 lines of 64 bytes");
  EXPECT_EQ(complaint({.bytes = 1024, .ways = 1, .line = 48}),
            "a cache line of 48 bytes; expected a power of two from 16 to 256");
  EXPECT_EQ(complaint({.bytes = 1024, .ways = 2, .line = 32}), "");
}

// What cores do to each other's lines, counted by hand.

TEST(CoherenceTest, ReadersShareALineThroughL3) {
  const Counts counts = Caches(2).read(0, 0).read(0, 1).read(0, 0).read(0, 1).counts();
  EXPECT_EQ(counts.l1_read_misses, 2u);
  EXPECT_EQ(counts.l3_misses, 1u);
  EXPECT_EQ(counts.true_sharing + counts.false_sharing, 0u) << "cold misses are not coherence's";
}

TEST(CoherenceTest, AWriteTakesTheLineFromTheOthers) {
  Caches caches(3);
  caches.read(0, 0).read(0, 1).read(0, 2).write(0, 0);
  EXPECT_EQ(caches.counts().l1_write_misses, 0u) << "an upgrade is no miss";
  caches.read(0, 1).read(0, 2);
  EXPECT_EQ(caches.counts().l1_read_misses, 5u);
  EXPECT_EQ(caches.counts().true_sharing, 2u);
}

TEST(CoherenceTest, AReadOfAModifiedLineHasItWrittenToL3) {
  Caches caches(2);
  const Counts counts = caches.write(0, 0).read(0, 1).counts();
  EXPECT_EQ(counts.l3_misses, 1u) << "the second core's line comes from the first";
  EXPECT_EQ(counts.l1_write_backs, 1u);
  EXPECT_EQ(counts.l2_write_backs, 1u);
  EXPECT_EQ(counts.dram_lines_written, 1u);
  EXPECT_EQ(caches.read(0, 0).counts().l1_read_misses, 1u) << "both share it";
}

TEST(CoherenceTest, AWriteTakesAModifiedLineOverAsItIs) {
  const Counts counts = Caches(2).write(0, 0).write(4, 1).counts();
  EXPECT_EQ(counts.l3_misses, 1u);
  EXPECT_EQ(counts.l2_write_backs, 0u);
  EXPECT_EQ(counts.dram_lines_written, 1u);
}

/// Two cores beside each of two L3.
Caches two_l3() {
  Geometry geometry = small();
  geometry.cores_of_l3 = 2;
  return Caches(4, geometry);
}

TEST(CoherenceTest, CleanLinesComeFromTheOwnL3OrFromMemory) {
  Caches caches = two_l3();
  caches.read(0, 0).read(0, 1);
  EXPECT_EQ(caches.counts().dram_lines_read, 1u);
  EXPECT_EQ(caches.read(0, 2).counts().dram_lines_read, 2u) << "no other L3 gives what is clean";
  EXPECT_EQ(caches.read(0, 3).counts().dram_lines_read, 2u);
  EXPECT_EQ(caches.between().transfers + caches.between().crossings, 0u);
}

TEST(CoherenceTest, ChangedLinesCrossOnceForEachL3) {
  Caches caches = two_l3();
  caches.write(0, 0).read(0, 1);
  EXPECT_EQ(caches.between().transfers, 1u);
  EXPECT_EQ(caches.between().crossings, 0u) << "both sit beside one L3";
  caches.read(0, 2);
  EXPECT_EQ(caches.between().crossings, 1u) << "the first L3 has it changed";
  caches.read(0, 3);
  EXPECT_EQ(caches.between().crossings, 1u) << "the second has it, too, by now";
  EXPECT_EQ(caches.between().transfers, 1u) << "no core had it changed any more";
  EXPECT_EQ(caches.counts().dram_lines_read, 1u);
  EXPECT_EQ(caches.counts().dram_lines_written, 1u) << "one changed line, wherever it is";
}

TEST(CoherenceTest, AWriteTakesTheLineFromOtherL3) {
  Caches caches = two_l3();
  caches.write(0, 0).read(0, 2).write(0, 3);
  EXPECT_EQ(caches.counts().dram_lines_read, 1u);
  caches.read(0, 0);
  EXPECT_EQ(caches.between().transfers, 2u);
  EXPECT_EQ(caches.between().crossings, 2u) << "what the first L3 had was taken";
  EXPECT_EQ(caches.between().sharing, 1u) << "core 0 had it before";
}

TEST(CoherenceTest, SharingIsTrueWhereTheWordWasWrittenSince) {
  const Counts counts = Caches(2).read(0, 1).write(0, 0).read(0, 1).counts();
  EXPECT_EQ(counts.true_sharing, 1u);
  EXPECT_EQ(counts.false_sharing, 0u);
}

TEST(CoherenceTest, SharingIsFalseWhereOnlyNeighboursWere) {
  Caches caches(2);
  const Counts counts = caches.read(0, 1).write(4, 0).read(0, 1).counts();
  EXPECT_EQ(counts.true_sharing, 0u);
  EXPECT_EQ(counts.false_sharing, 1u);
  EXPECT_EQ(caches.blamed(Caches::site), 1u);
  EXPECT_EQ(caches.blamed(Caches::site + 1), 0u);
}

TEST(CoherenceTest, WordsWrittenAfterTheLineWasTakenCount) {
  EXPECT_EQ(Caches(2).read(0, 1).write(4, 0).write(0, 0).read(0, 1).counts().true_sharing, 1u);
  EXPECT_EQ(Caches(3).read(0, 1).write(4, 0).write(0, 2).read(0, 1).counts().true_sharing, 1u) << "a third's";
  EXPECT_EQ(Caches(2).read(0, 1, 32).write(28, 0).read(0, 1, 32).counts().true_sharing, 1u)
      << "a wide access touches the word among others";
}

TEST(CoherenceTest, WordsWrittenBeforeTheLineWasHadDoNot) {
  // Core 1 has seen word 0 as it is; since then only word 1 was written.
  const Counts counts = Caches(2).read(0, 1).write(0, 0).read(0, 1).write(4, 0).read(0, 1).counts();
  EXPECT_EQ(counts.true_sharing, 1u);
  EXPECT_EQ(counts.false_sharing, 1u);
}

TEST(CoherenceTest, ALineThatWasNotTakenIsMissedForWantOfRoom) {
  Caches caches(2);
  for (std::uint64_t each = 0; each <= 8; ++each) caches.read(each * line, 1);  // 0 leaves L1 and L2
  const Counts counts = caches.write(4, 0).read(0, 1).counts();
  EXPECT_EQ(counts.true_sharing + counts.false_sharing, 0u);
}

TEST(CoherenceTest, BothLinesOfAnAccessAreTaken) {
  const Counts counts = Caches(2).read(0, 1).read(64, 1).write(60, 0, 8).read(0, 1).read(64, 1).counts();
  EXPECT_EQ(counts.false_sharing, 1u) << "of the first, word 15 was written and 0 is read";
  EXPECT_EQ(counts.true_sharing, 1u) << "of the second, word 0";
}

// Sequences short enough to be counted by hand, through all levels.

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

TEST(HierarchyTest, LinesNearTheLastOnesAreNotScattered) {
  Counts counts = Caches().read_lines(10, 19).counts();
  EXPECT_EQ(counts.l1_scattered, 1u) << "the first one";
  EXPECT_EQ(counts.l2_scattered, 1u);
  EXPECT_EQ(counts.l3_scattered, 1u);
  Caches backwards, streams, column;
  for (std::uint64_t step = 0; step < 20; ++step) {
    backwards.read((1000 - 2 * step) * line);
    for (std::uint64_t stream = 0; stream < 32; ++stream) streams.read((1000 * stream + step) * line);
    column.write(64 * step * line);
  }
  EXPECT_EQ(backwards.counts().l1_scattered, 1u) << "every other line, backwards";
  EXPECT_EQ(streams.counts().l1_scattered, 32u) << "each stream's first line";
  counts = column.counts();
  EXPECT_EQ(counts.l1_scattered, 20u);
  EXPECT_EQ(counts.l2_scattered, 20u);
  EXPECT_EQ(counts.l3_scattered, 20u);
  // Taken away by others, it comes back as it went.
  EXPECT_EQ(Caches().read(0).read_lines(10, 11).read(0).counts().l1_scattered, 3u);
  EXPECT_EQ(Caches(2).read(0, 0).read(line, 1).counts().l1_scattered, 2u) << "each core follows its own";
}

TEST(HierarchyTest, OnlyMissesOfALevelAreScatteredInIt) {
  // A column of four lines, twice: L1 holds two, L2 four.
  Caches caches;
  for (int pass = 0; pass < 2; ++pass)
    for (std::uint64_t row = 0; row < 4; ++row) caches.read(64 * row * line);
  const Counts counts = caches.counts();
  EXPECT_EQ(counts.l1_scattered, 8u);
  EXPECT_EQ(counts.l2_scattered, 4u);
  EXPECT_EQ(counts.l3_scattered, 4u);
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
