#include "harness/host/process/cpu_use.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "harness/host/tests/made_tree.hpp"

namespace uotbench {
namespace {

TEST(TimeInLine, IsReadOfEachThread) {
  MadeTree tree;
  tree.write("proc/7/task/7/schedstat", "2000000000 500000000 12\n");
  tree.write("proc/7/task/8/schedstat", "1000000000 0 3\n");
  tree.write("proc/9/task/9/schedstat", "0 0 0\n");
  const auto times = cpu_use({7, 9, 11}, {}, tree.root() / "proc").threads;
  ASSERT_EQ(times.size(), 3u) << "11 is gone";
  EXPECT_DOUBLE_EQ(times.at(7).running, 2);
  EXPECT_DOUBLE_EQ(times.at(7).in_line, 0.5);
  EXPECT_DOUBLE_EQ(times.at(8).running, 1);
}

TEST(TimeInLine, CpusWorkForOthersToo) {
  MadeTree tree;
  tree.write("proc/stat",
             "cpu  900 0 0 0 0 0 0 0 0 0\ncpu1 100 2 30 5000 700 4 5 6 0 0\ncpu10 7 0 0 1 1 0 0 0 0 0\n");
  const double tick = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  const auto busy = [&](const std::vector<int>& cpus) {
    return cpu_use({}, cpus, tree.root() / "proc").busy;
  };
  EXPECT_DOUBLE_EQ(busy({1}).value(), 147 * tick);
  EXPECT_DOUBLE_EQ(busy({1, 10}).value(), 154 * tick);
  EXPECT_EQ(busy({3}), std::nullopt);
}

// One that waited long before is not the one that waits now.
TEST(TimeInLine, IsThatOfAllThreadsOfATeam) {
  const CpuUse before{{{1, {.running = 9, .in_line = 10}}, {2, {.running = 1, .in_line = 1}}}, {}};
  const CpuUse after{{{1, {.running = 9.25, .in_line = 10.25}},
                      {2, {.running = 1.25, .in_line = 1.5}},
                      {3, {.running = 0, .in_line = 0.125}}},  // it has begun since
                     {}};
  EXPECT_DOUBLE_EQ(seconds_in_line(before, after, 1, 2), 0.25 + 0.5 + 0.125);
}

// Two threads on one CPU, and nobody else: that is no excuse.
TEST(TimeInLine, IsNotWhatItsOwnThreadsTakeFromEachOther) {
  const auto at = [](double seconds, std::optional<double> busy) {
    return CpuUse{
        {{1, {.running = seconds, .in_line = seconds}}, {2, {.running = seconds, .in_line = seconds}}}, busy};
  };
  EXPECT_DOUBLE_EQ(seconds_in_line(at(0, {}), at(0.5, {}), 1, 1), 0);
  EXPECT_NEAR(seconds_in_line(at(0, 8), at(0.5, 9), 1, 2), 0, 0.02) << "nobody was on the other CPU";
  EXPECT_NEAR(seconds_in_line(at(0, 8), at(0.5, 9.5), 1, 2), 0.5, 0.02) << "somebody was, half of the time";
  EXPECT_DOUBLE_EQ(seconds_in_line(at(0, {}), at(0.5, {}), 1, 2), 1) << "nothing tells who was";
  EXPECT_DOUBLE_EQ(seconds_in_line(at(0, 8), at(0.5, 8), 1, 2), 1) << "that tells of other CPUs";
}

TEST(TimeInLine, IsToldOfThisProcess) {
  // The kernel adds up at its ticks, and where a thread is put aside.
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(20)) continue;
  const auto times = cpu_use({::getpid()}, {}).threads;
  if (times.empty()) GTEST_SKIP() << "this system keeps no schedstat";
  EXPECT_TRUE(times.contains(::getpid()));
  EXPECT_GT(times.at(::getpid()).running, 0);
}

using testing::Contains;
using testing::IsEmpty;
using testing::Key;

/// A /proc/PID/stat line whose utime and stime make up `seconds`.
std::string stat_line(const std::string& name, double seconds) {
  const auto ticks = static_cast<long>(seconds * static_cast<double>(::sysconf(_SC_CLK_TCK)));
  return "7 (" + name + ") R 1 7 7 0 -1 4194304 100 0 0 0 " + std::to_string(ticks) + " 0 0 0 20 0 1 0 100\n";
}

// A neighbour that computes is named, the busiest first, so that a person can stop it; idle ones are not.
TEST(BusyTasks, AreThoseThatComputeMeanwhile) {
  MadeTree before, after;
  before.write("proc/10/stat", stat_line("idle since long", 5000));
  after.write("proc/10/stat", stat_line("idle since long", 5000));
  before.write("proc/11/stat", stat_line("half", 1));
  after.write("proc/11/stat", stat_line("half", 2));
  before.write("proc/12/stat", stat_line("odd) R (name", 3));
  after.write("proc/12/stat", stat_line("odd) R (name", 5));
  after.write("proc/13/stat", stat_line("came later", 100));
  const auto busy = busy_tasks(visible_tasks(before.root()), visible_tasks(after.root()), 2, 0.25);
  ASSERT_EQ(busy.size(), 2u);
  EXPECT_EQ(busy[0].pid, 12);
  EXPECT_EQ(busy[0].name, "odd) R (name");
  EXPECT_DOUBLE_EQ(busy[0].share, 1);
  EXPECT_EQ(busy[1].name, "half");
  EXPECT_DOUBLE_EQ(busy[1].share, 0.5);
}

TEST(VisibleTasks, SkipWhatIsNoProcess) {
  MadeTree tree;
  EXPECT_THAT(visible_tasks(tree.root()), IsEmpty());
  tree.write("proc/meminfo", "MemTotal: 1 kB\n");
  tree.write("proc/8x/stat", stat_line("no pid", 1));
  tree.write("proc/9/stat", "9 (torn");
  EXPECT_THAT(visible_tasks(tree.root()), IsEmpty());
}

TEST(VisibleTasks, IncludeThisOne) { EXPECT_THAT(visible_tasks(), Contains(Key(::getpid()))); }

}  // namespace
}  // namespace uotbench
