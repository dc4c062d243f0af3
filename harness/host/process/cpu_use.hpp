// The CPUs that processes may use, the limits that control groups set, and the time that processes use or
// wait for CPUs.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
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

// Where a process may run.

/// No CPU has this number or a larger one: Linux can be built for 8192.
constexpr int most_cpus = 65536;

/// The CPUs that a process, or its first thread, may run on; 0 is this one. Empty: it is gone.
std::set<int> cpus_of(pid_t pid);

/// "0-3,8"
std::string cpu_list(const std::set<int>& cpus);

// How long threads stood in line for a CPU: time that a clock sees, and that they could not use.

struct ThreadTime {
  double running = 0;  ///< seconds since the thread began
  double in_line = 0;  ///< likewise: ready to run, while its CPU did something else
};

/// Of some processes and the CPUs that they may use, at one moment.
struct CpuUse {
  std::map<pid_t, ThreadTime> threads;  ///< as PROC/PID/task/TID/schedstat tells; none where it does not
  /// Seconds for which the CPUs worked for anybody, or their hypervisor for other machines (PROC/stat, which
  /// counts hundredths of a second); absent where nothing tells.
  std::optional<double> busy;
};

CpuUse cpu_use(const std::vector<pid_t>& processes, const std::vector<int>& cpus,
               const std::filesystem::path& proc = "/proc");

/// The longest time for which others may have held up these processes between two moments, `seconds` apart,
/// on `cpus` CPUs. Threads that wait for each other are held up one after the other, so it is the sum over
/// all threads; but no more than the CPUs had for others.
double seconds_in_line(const CpuUse& before, const CpuUse& after, double seconds, std::size_t cpus);

// The processes of this machine, as far as they are visible, and which of them compute.

struct LiveTask {
  std::string name;
  double seconds = 0;  ///< CPU time so far, in user and system mode
};

/// All visible processes, by pid. In a container these are its own only.
std::map<int, LiveTask> visible_tasks(const std::filesystem::path& root = "/");

struct BusyTask {
  int pid = 0;
  std::string name;
  double share = 0;  ///< of one CPU
};

/// Those that used more than `share` of a CPU between two looks `seconds` apart, busiest first.
std::vector<BusyTask> busy_tasks(const std::map<int, LiveTask>& before, const std::map<int, LiveTask>& after,
                                 double seconds, double share);

}  // namespace uotbench
