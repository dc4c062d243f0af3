// What the kernel refuses is said in words, with the command that mends it where there is one.
#include "harness/host/process/perf_obstacle.hpp"

#include <gmock/gmock.h>

#include <cerrno>

#include "harness/host/tests/made_tree.hpp"

namespace uotbench {
namespace {

using enum PerfReach;
using testing::EndsWith;

std::string reason(int error, const MadeTree& tree, PerfReach reach = user) {
  return perf_obstacle(error, reach, tree.root()).reason;
}

TEST(PerfObstacle, TellsAMachineWithoutCountersFromACpuWithoutTheEvent) {
  const MadeTree tree;
  tree.write("sys/bus/event_source/devices/software/type", "1");
  EXPECT_EQ(reason(ENOENT, tree), "this machine offers none (virtual machines often hide them)");
  EXPECT_EQ(reason(EIO, tree), reason(ENOENT, tree));
  tree.write("sys/bus/event_source/devices/cpu_core/type", "4");
  EXPECT_EQ(reason(ENOENT, tree), "this CPU does not count it");
  EXPECT_EQ(reason(EIO, tree), "this machine offers none (virtual machines often hide them)");
}

TEST(PerfObstacle, NamesTheSettingThatForbidsAndHowFarItMustGo) {
  const MadeTree tree;
  tree.write("proc/sys/kernel/perf_event_paranoid", "3\n");
  for (const auto& [reach, most] :
       {std::pair{user, "=2"}, std::pair{kernel, "=1"}, std::pair{machine, "=0"}}) {
    const auto obstacle = perf_obstacle(EACCES, reach, tree.root());
    EXPECT_EQ(obstacle.reason, "forbidden, kernel.perf_event_paranoid is 3");
    EXPECT_THAT(obstacle.mend, EndsWith(std::string("sysctl kernel.perf_event_paranoid") + most));
    EXPECT_EQ(obstacle.text(), obstacle.reason + "; mended by: " + obstacle.mend);
  }
  EXPECT_EQ(reason(EPERM, tree), "forbidden, kernel.perf_event_paranoid is 3");
}

TEST(PerfObstacle, TellsAContainerFromASetting) {
  const MadeTree tree;
  tree.write("proc/sys/kernel/perf_event_paranoid", "2\n");
  EXPECT_EQ(reason(EACCES, tree, machine), "forbidden, kernel.perf_event_paranoid is 2");
  EXPECT_EQ(reason(EPERM, tree, machine),
            "forbidden (a container's seccomp filter, perhaps; docker and podman take --cap-add PERFMON)");
  EXPECT_EQ(reason(EACCES, tree), "forbidden (by a security module such as SELinux, perhaps)");
  EXPECT_EQ(perf_obstacle(EPERM, user, tree.root()).text(), reason(EPERM, tree)) << "no command mends it";
}

TEST(PerfObstacle, KnowsTheOtherErrors) {
  const MadeTree tree;
  EXPECT_EQ(reason(ENOSYS, tree), "this kernel is built without perf events (CONFIG_PERF_EVENTS)");
  EXPECT_EQ(reason(EBUSY, tree), "another program holds the counter");
  EXPECT_EQ(perf_obstacle(EMFILE, user, tree.root()).text(),
            "too many open files; mended by: ulimit -n 65536");
  EXPECT_EQ(reason(EINVAL, tree), "the kernel takes no such event (EINVAL)");
  EXPECT_EQ(reason(ENOMEM, tree), "perf_event_open: Cannot allocate memory");
}

TEST(PerfObstacle, IsTriedForReal) {
  const int error = try_cycles();
  EXPECT_TRUE(error == 0 || !perf_obstacle(error, user).reason.empty());
}

}  // namespace
}  // namespace uotbench
