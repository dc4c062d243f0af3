// Subnormal numbers are 0 only while a team that flushes them is at work, in all its threads.
#include "harness/worker/team.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

namespace uotbench {
namespace {

namespace fs = std::filesystem;
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

// Threads beside one last-level cache, as folders of Linux tell of it.

class LastCache : public testing::Test {
 protected:
  ~LastCache() override { fs::remove_all(root_); }

  /// Of each CPU an L2 of its own and the L3 with these others.
  void cpu(int number, const std::string& l3) {
    add(number, 0, 2, std::to_string(number));
    if (!l3.empty()) add(number, 1, 3, l3);
  }
  int beside(std::vector<int> cpus) {
    return threads_a_last_cache(cpus, static_cast<int>(cpus.size()), root_);
  }

 private:
  void add(int number, int index, int level, const std::string& sharers) {
    const fs::path cache =
        root_ / ("cpu" + std::to_string(number)) / "cache" / ("index" + std::to_string(index));
    fs::create_directories(cache);
    std::ofstream(cache / "level") << level << '\n';
    std::ofstream(cache / "shared_cpu_list") << sharers << '\n';
  }

  const fs::path root_ = fs::temp_directory_path() / ("last_cache_" + std::to_string(::getpid()));
};

TEST_F(LastCache, IsThatOfTheHighestLevel) {
  for (int number = 0; number < 8; ++number) cpu(number, number < 4 ? "0-3" : "4-7");
  EXPECT_EQ(beside({0, 1, 2, 3, 4, 5, 6, 7}), 4);
  EXPECT_EQ(beside({2, 3, 6, 7}), 2) << "two threads beside each";
  EXPECT_EQ(beside({0, 4}), 1);
  EXPECT_EQ(beside({4, 5, 6}), 3) << "all beside one";
}

TEST_F(LastCache, RowsThatDifferMakeNoGroups) {
  for (int number = 0; number < 8; ++number) cpu(number, number < 4 ? "0-3" : "4-7");
  EXPECT_EQ(beside({0, 1, 2, 4}), 4);
  EXPECT_EQ(beside({0, 4, 5}), 3);
  EXPECT_EQ(beside({0, 4, 1, 5}), 4) << "they take turns";
}

TEST_F(LastCache, WhatIsNotToldMakesNoGroups) {
  EXPECT_EQ(beside({0, 1}), 2);
  cpu(0, "");
  cpu(1, "");
  EXPECT_EQ(beside({0, 1}), 1) << "their last is the L2";
  EXPECT_EQ(threads_a_last_cache({0}, 4, "/nowhere"), 4) << "fewer CPUs than threads";
}

}  // namespace
}  // namespace uotbench
