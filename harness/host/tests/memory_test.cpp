#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "harness/host/facts/machine.hpp"
#include "harness/host/facts/usable.hpp"
#include "harness/host/process/cpu_use.hpp"
#include "harness/host/tests/made_tree.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

constexpr double mebi = 1024.0 * 1024;

void write_meminfo(const MadeTree& tree) {
  tree.write("proc/meminfo", "MemTotal:        4096000 kB\nMemFree:  1024 kB\nMemAvailable:    2048000 kB\n");
}

TEST(AvailableMemory, IsMemAvailableWithoutALimit) {
  MadeTree tree;
  write_meminfo(tree);
  const Memory memory = available_memory(tree.root());
  EXPECT_EQ(memory.bytes, 2048000.0 * 1024);
  EXPECT_EQ(memory.limited_by, "MemAvailable");
}

TEST(AvailableMemory, SaysThatItCannotTell) {
  MadeTree tree;
  EXPECT_THROW(available_memory(tree.root()), std::runtime_error);
}

// A container's limit counts although the machine has more; file cache is given up before anything is killed.
TEST(AvailableMemory, ObeysALimitOfVersion2) {
  MadeTree tree;
  write_meminfo(tree);
  tree.write("proc/self/cgroup", "0::/job\n");
  tree.write("sys/fs/cgroup/job/memory.max", "104857600\n");
  tree.write("sys/fs/cgroup/job/memory.current", "73400320\n");
  tree.write("sys/fs/cgroup/job/memory.stat",
             "anon 41943040\nfile 31457280\nactive_file 10485760\ninactive_file 10485760\nshmem 10485760\n");
  const Memory memory = available_memory(tree.root());
  EXPECT_EQ(memory.bytes, (100 - 70 + 20) * mebi);
  EXPECT_EQ(memory.limited_by, "cgroup");
}

// The limit may be set on any group around ours; "max" is none.
TEST(AvailableMemory, ObeysTheTightestGroupAround) {
  MadeTree tree;
  write_meminfo(tree);
  tree.write("proc/self/cgroup", "0::/slice/job\n");
  tree.write("sys/fs/cgroup/slice/job/memory.max", "max\n");
  tree.write("sys/fs/cgroup/slice/job/memory.current", "1048576\n");
  tree.write("sys/fs/cgroup/slice/memory.max", "10485760\n");
  tree.write("sys/fs/cgroup/slice/memory.current", "4194304\n");
  EXPECT_EQ(available_memory(tree.root()).bytes, 6 * mebi);
}

// Inside a container the path is the host's, and the mount point is the container's own group.
TEST(AvailableMemory, FindsTheLimitFromInsideAContainer) {
  MadeTree tree;
  write_meminfo(tree);
  tree.write("proc/self/cgroup", "12:cpu,cpuacct:/docker/0123\n4:memory:/docker/0123\n0::/docker/0123\n");
  tree.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "10485760\n");
  tree.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "5242880\n");
  tree.write("sys/fs/cgroup/memory/memory.stat",
             "cache 2097152\ntotal_inactive_file 1048576\ntotal_active_file 0\n");
  const Memory memory = available_memory(tree.root());
  EXPECT_EQ(memory.bytes, 6 * mebi);
  EXPECT_EQ(memory.limited_by, "cgroup");
}

// Version 1 writes a number near 2^63 where there is no limit.
TEST(AvailableMemory, IgnoresVersion1WithoutALimit) {
  MadeTree tree;
  write_meminfo(tree);
  tree.write("proc/self/cgroup", "4:memory:/\n");
  tree.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  tree.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "5242880\n");
  EXPECT_EQ(available_memory(tree.root()).limited_by, "MemAvailable");
}

// More than the limit may be in use for a moment: nothing is left then, not less than nothing.
TEST(AvailableMemory, IsNeverNegative) {
  MadeTree tree;
  write_meminfo(tree);
  tree.write("proc/self/cgroup", "0::/\n");
  tree.write("sys/fs/cgroup/memory.max", "1048576\n");
  tree.write("sys/fs/cgroup/memory.current", "2097152\n");
  EXPECT_EQ(available_memory(tree.root()).bytes, 0);
}

TEST(AvailableMemory, OfThisMachineIsPositive) { EXPECT_GT(available_memory().bytes, 0); }

TEST(SharedMemory, HasRoomInAFolderAndNoneInAMissingOne) {
  MadeTree tree;
  EXPECT_GT(shared_memory_free(tree.root()), 0);
  EXPECT_EQ(shared_memory_free(tree.root() / "missing"), 0);
}

TEST(ResidentBytes, CountsALivingProcessOnly) {
  EXPECT_GT(resident_bytes(::getpid()), mebi / 2);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_GT(child, 0);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(resident_bytes(child), 0);
  EXPECT_EQ(proportional_bytes(child), 0);
}

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
