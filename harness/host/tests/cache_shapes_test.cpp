#include "harness/host/facts/cache_shapes.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace uotbench {
namespace {

Topology made() {
  Topology topology;
  topology.caches[{.level = 1, .data = true, .bytes = 49152, .shared_by = 2, .ways = 12, .line = 64}] = 8;
  topology.caches[{.level = 1, .data = true, .bytes = 32768, .shared_by = 1, .ways = 8, .line = 64}] = 4;
  topology.caches[{.level = 2, .data = false, .bytes = 1310720, .shared_by = 2, .ways = 10, .line = 64}] = 8;
  topology.caches[{.level = 3, .data = false, .bytes = 31457280, .shared_by = 20, .ways = 12, .line = 64}] =
      1;
  return topology;
}

TEST(CacheShapes, AreThoseOfTheMoreFrequentKindOfCore) {
  const CacheShapes shapes = cache_shapes(made());
  EXPECT_EQ(shapes.obstacle, "");
  EXPECT_EQ(shapes.l1.bytes, 49152u);
  EXPECT_EQ(shapes.l1.ways, 12);
  EXPECT_EQ(shapes.l2.bytes, 1310720u);
  EXPECT_EQ(shapes.l3.bytes, 31457280u);
}

TEST(CacheShapes, WhatIsNotToldIsAnObstacleThatNamesTheOption) {
  Topology topology = made();
  topology.caches.erase(topology.caches.begin(), std::next(topology.caches.begin(), 2));
  EXPECT_THAT(cache_shapes(topology).obstacle, testing::HasSubstr("give --caches L1D="));
  EXPECT_FALSE(cache_shapes({}).obstacle.empty());
}

TEST(CacheShapes, AreReadFromText) {
  const CacheShapes shapes = parse_cache_shapes("L1D=48KiB/12,L2=1MiB/8,L3=32MiB/16");
  EXPECT_EQ(shapes.l1.bytes, 49152u);
  EXPECT_EQ(shapes.l2.ways, 8);
  EXPECT_EQ(shapes.l3.bytes, 33554432u);
  EXPECT_EQ(shapes.l3.cores, 0);
  EXPECT_EQ(parse_cache_shapes("L1D=48KiB/12,L2=1MiB/8,L3=32MiB/16@8").l3.cores, 8);
  EXPECT_EQ(parse_cache_shapes("L1D=128KiB/8/128,L2=12MiB/12/128,L3=24MiB/12/128").l3.line, 128);
}

TEST(CacheShapes, TextThatIsNoneIsRefusedWithAnExample) {
  for (const char* wrong :
       {"", "L1D=32KiB/8", "L1D=32KiB/8,L2=1MiB/8", "L1D=32KiB,L2=1MiB/8,L3=32MiB/16",
        "L1D=32KiB/0,L2=1MiB/8,L3=32MiB/16", "L1D=33KiB/8/96,L2=1MiB/8,L3=32MiB/16",
        "L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16,L4=1GiB/8", "L1D=99999999999999999999KiB/8,L2=1MiB/8,L3=32MiB/16",
        "L1D=18014398509481984KiB/8,L2=1MiB/8,L3=32MiB/16", "L1D=32KiB/8,L2=1MiB/8/128,L3=32MiB/16",
        "L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16@", "L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16@0",
        "L1D=32KiB/8,L2=1MiB/8@2,L3=32MiB/16", "L1D=64/1,L2=64/1,L3=64/1", "L1D=1000/8,L2=1MiB/8,L3=32MiB/16",
        "l1=32KiB/8,l2=1MiB/8,l3=32MiB/16"})
    EXPECT_THROW(parse_cache_shapes(wrong), std::invalid_argument) << wrong;
}

/// valgrind wants a power of two of sets; ways and lines stay.
TEST(CacheShapes, ForValgrindHaveTheNearestPowerOfTwoOfSets) {
  EXPECT_EQ(valgrind_shape({.bytes = 32768, .ways = 8, .line = 64}), "32768,8,64");
  EXPECT_EQ(valgrind_shape({.bytes = 49152, .ways = 12, .line = 64}), "49152,12,64");
  EXPECT_EQ(valgrind_shape({.bytes = 31457280, .ways = 12, .line = 64}), "25165824,12,64");
}

}  // namespace
}  // namespace uotbench
