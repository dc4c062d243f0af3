// A cache holds what it was told last, set by set, and says what had to go.
#include "harness/trace/threads/cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

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

}  // namespace
}  // namespace uotbench::trace
