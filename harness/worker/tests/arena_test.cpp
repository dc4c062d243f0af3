#include "harness/worker/base/arena.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "harness/worker/buffer.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

std::size_t offset(const Arena& arena, const void* memory) {
  return static_cast<std::size_t>(static_cast<const char*>(memory) - arena.data());
}

bool inside(const Arena& arena, const void* memory) { return offset(arena, memory) < arena.size(); }

/// Each test is a process of its own under CTest; in one process the second arena is refused.
class ArenaTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// Leaves with 0 where all of it holds: a process has one arena.
#define IN_A_PROCESS(...)                \
  EXPECT_EXIT(                           \
      {                                  \
        __VA_ARGS__                      \
        std::exit(HasFailure() ? 1 : 0); \
      },                                 \
      testing::ExitedWithCode(0), "")

TEST_F(ArenaTest, GivesMemoryAtTheSameOffsetsWhateverWasTakenBefore) {
  IN_A_PROCESS(const std::vector<int> history(12345); Arena arena(std::size_t{16} << 20);
               std::vector<float> a(10); std::vector<float> b(100); Buffer<float> huge(std::size_t{1} << 20);
               EXPECT_EQ(offset(arena, a.data()), 0u); EXPECT_EQ(offset(arena, b.data()), 64u);
               EXPECT_EQ(offset(arena, huge.data()), std::size_t{2} << 20);
               EXPECT_FALSE(inside(arena, history.data())););
}

TEST_F(ArenaTest, RunsOnAStackOfItsOwnAndThrowsOn) {
  IN_A_PROCESS(Arena arena(1 << 20); bool there = false; arena.run([&] {
    int local = 0;
    there = inside(arena, &local);
  });
               EXPECT_TRUE(there);
               EXPECT_THROW(arena.run([] { throw std::runtime_error("x"); }), std::runtime_error););
}

TEST_F(ArenaTest, FallsBackToTheHeapWhenItIsFull) {
  IN_A_PROCESS(Arena arena(0); std::vector<char> large(std::size_t{64} << 20);
               EXPECT_FALSE(inside(arena, large.data())); EXPECT_EQ(large.back(), 0););
}

TEST_F(ArenaTest, WhatWasTakenOutlivesIt) {
  IN_A_PROCESS(std::vector<int> kept; {
    Arena arena(1 << 20);
    EXPECT_EQ(Arena::current(), &arena);
    kept.assign(1000, 7);
  } EXPECT_EQ(Arena::current(), nullptr);
               EXPECT_EQ(kept.back(), 7); kept = std::vector<int>(); EXPECT_THROW(Arena(1), Error););
}

}  // namespace
}  // namespace uotbench
