#include "harness/host/process/in_line.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "harness/host/tests/made_tree.hpp"

namespace uotbench {
namespace {

TEST(TimeInLine, IsReadOfEachThread) {
  MadeTree tree;
  tree.write("proc/7/task/7/schedstat", "2000000000 500000000 12\n");
  tree.write("proc/7/task/8/schedstat", "1000000000 0 3\n");
  tree.write("proc/9/task/9/schedstat", "0 0 0\n");
  const ThreadTimes times = thread_times({7, 9, 11}, tree.root() / "proc");
  ASSERT_EQ(times.size(), 3u) << "11 is gone";
  EXPECT_DOUBLE_EQ(times.at(7).running, 2);
  EXPECT_DOUBLE_EQ(times.at(7).in_line, 0.5);
  EXPECT_DOUBLE_EQ(times.at(8).running, 1);
}

// One that waited long before is not the one that waits now.
TEST(TimeInLine, IsThatOfAllThreadsOfATeam) {
  const ThreadTimes before{{1, {.running = 9, .in_line = 10}}, {2, {.running = 1, .in_line = 1}}};
  const ThreadTimes after{{1, {.running = 9.25, .in_line = 10.25}},
                          {2, {.running = 1.25, .in_line = 1.5}},
                          {3, {.running = 0, .in_line = 0.125}}};  // it has begun since
  EXPECT_DOUBLE_EQ(seconds_in_line(before, after, 1, 2), 0.25 + 0.5 + 0.125);
}

// Two threads on one CPU, and nobody else: that is no excuse.
TEST(TimeInLine, IsNotWhatItsOwnThreadsTakeFromEachOther) {
  const ThreadTimes before{{1, {}}, {2, {}}},
      after{{1, {.running = 0.5, .in_line = 0.5}}, {2, {.running = 0.5, .in_line = 0.5}}};
  EXPECT_DOUBLE_EQ(seconds_in_line(before, after, 1, 1), 0);
  EXPECT_DOUBLE_EQ(seconds_in_line(before, after, 1, 2), 1) << "on two the other CPU was somebody's";
}

TEST(TimeInLine, IsToldOfThisProcess) {
  const ThreadTimes times = thread_times({::getpid()});
  if (times.empty()) GTEST_SKIP() << "this system keeps no schedstat";
  EXPECT_TRUE(times.contains(::getpid()));
  EXPECT_GT(times.at(::getpid()).running, 0);
}

}  // namespace
}  // namespace uotbench
