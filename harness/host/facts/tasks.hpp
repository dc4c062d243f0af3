// The processes of this machine, as far as they are visible, and which of them compute.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace uotbench {

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
