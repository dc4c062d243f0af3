// What cores do to each other's lines, counted by hand.
#include <gtest/gtest.h>

#include "harness/trace/tests/small_caches.hpp"

namespace uotbench::trace {
namespace {

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

}  // namespace
}  // namespace uotbench::trace
