#include "harness/host/facts/tasks.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <string>

#include "harness/host/tests/made_tree.hpp"

namespace uotbench {
namespace {

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
