// Control groups: the limits of memory and of CPU time that the system sets a process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace uotbench {

// The control groups that this process is in.

/// The two interfaces of the kernel (Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/).
enum class CgroupVersion { v1, v2 };

/// Folders of this process's group and of all groups around it in which `controller` ("cpu", "memory") has
/// its files, each once, the innermost first. Inside a container the path in /proc/self/cgroup may name a
/// group that is mounted elsewhere; the mount point then is the container's own group.
std::vector<std::filesystem::path> cgroup_folders(CgroupVersion version, const std::string& controller,
                                                  const std::filesystem::path& root = "/");

// CPU quotas of control groups (docker --cpus, limits of Kubernetes, CPUQuota= of systemd).

struct CpuQuota {
  double cpus = 0;            ///< CPU time per wall time, e.g. 0.25
  double period_seconds = 0;  ///< the group runs until its share of a period is used up, then waits
};

/// The least quota of this process's group and the groups around it (version 1 or 2); absent where none of
/// them has one.
std::optional<CpuQuota> cpu_quota(const std::filesystem::path& root = "/");

/// Seconds that these groups have been stopped by their quotas since they were made; 0 where nothing is
/// reported. The kernel adds up the CPUs: a group stopped on two CPUs for 1 s counts 2 s, so that a
/// difference can exceed the wall time. Where two nested groups are stopped at once, both count.
double throttled_seconds(const std::filesystem::path& root = "/");

}  // namespace uotbench
