// The CPUs that processes may use, and the time that they use or wait for them.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace uotbench {

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
