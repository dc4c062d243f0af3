// Threads beside one last-level cache, as folders of Linux tell of it.
#include "harness/worker/last_cache.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numeric>

namespace uotbench {
namespace {

namespace fs = std::filesystem;

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
