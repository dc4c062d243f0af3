#include "harness/host/process/cgroups.hpp"

#include <gtest/gtest.h>

#include "harness/host/facts/machine.hpp"
#include "harness/host/tests/made_tree.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

TEST(CpuQuota, IsAbsentWhereNothingIsReportedOrUnlimited) {
  MadeTree tree;
  EXPECT_FALSE(cpu_quota(tree.root()));
  EXPECT_EQ(throttled_seconds(tree.root()), 0);
  tree.write("proc/self/cgroup", "1:cpu:/a\n0::/b\n");
  tree.write("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1\n");
  tree.write("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  tree.write("sys/fs/cgroup/unified/b/cpu.max", "max 100000\n");
  EXPECT_FALSE(cpu_quota(tree.root()));
}

TEST(CpuQuota, OfVersion2IsTheLeastOfTheGroupsAround) {
  MadeTree tree;
  tree.write("proc/self/cgroup", "0::/outer/inner\n");
  tree.write("sys/fs/cgroup/outer/inner/cpu.max", "200000 100000\n");
  tree.write("sys/fs/cgroup/outer/inner/cpu.stat", "usage_usec 7\nnr_throttled 3\nthrottled_usec 250000\n");
  tree.write("sys/fs/cgroup/outer/cpu.max", "15000 20000\n");
  tree.write("sys/fs/cgroup/outer/cpu.stat", "throttled_usec 1000000\n");
  tree.write("sys/fs/cgroup/other/cpu.max", "1000 100000\n");
  const auto quota = cpu_quota(tree.root());
  ASSERT_TRUE(quota);
  EXPECT_DOUBLE_EQ(quota->cpus, 0.75);
  EXPECT_DOUBLE_EQ(quota->period_seconds, 0.02);
  EXPECT_DOUBLE_EQ(throttled_seconds(tree.root()), 1.25);
}

TEST(CpuQuota, IsAmongTheFactsOfTheMachine) {
  MadeTree tree;
  tree.write("proc/self/cgroup", "0::/small\n");
  tree.write("sys/fs/cgroup/small/cpu.max", "25000 100000\n");
  EXPECT_EQ(machine_facts(tree.root())["recorded"]["cpu_quota"], 0.25);
  tree.write("sys/fs/cgroup/small/cpu.max", "100000000000 100000\n");
  EXPECT_TRUE(machine_facts(tree.root())["recorded"]["cpu_quota"].is_null()) << "more than there are CPUs";
}

TEST(CpuQuota, OfVersion1IsReadOnceThroughALink) {
  MadeTree tree;
  tree.write("proc/self/cgroup", "3:memory:/m\n2:cpu,cpuacct:/job\n");
  tree.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "25000\n");
  tree.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  tree.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.stat", "nr_periods 9\nthrottled_time 1500000000\n");
  fs::create_directory_symlink("cpu,cpuacct", tree.root() / "sys/fs/cgroup/cpu");
  const auto quota = cpu_quota(tree.root());
  ASSERT_TRUE(quota);
  EXPECT_DOUBLE_EQ(quota->cpus, 0.25);
  EXPECT_DOUBLE_EQ(throttled_seconds(tree.root()), 1.5);
}

// Inside a container the path is the host's, and the mount point is the container's own group.
TEST(CpuQuota, OfAContainerIsAtTheMountPoint) {
  MadeTree tree;
  tree.write("proc/self/cgroup", "0::/docker/abc\n");
  tree.write("sys/fs/cgroup/cpu.max", "60000 100000\n");
  tree.write("sys/fs/cgroup/cpu.stat", "throttled_usec 500000\n");
  const auto quota = cpu_quota(tree.root());
  ASSERT_TRUE(quota);
  EXPECT_DOUBLE_EQ(quota->cpus, 0.6);
  EXPECT_DOUBLE_EQ(throttled_seconds(tree.root()), 0.5);
}

}  // namespace
}  // namespace uotbench
