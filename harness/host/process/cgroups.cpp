#include "harness/host/process/cgroups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "harness/host/process/files.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

constexpr double micro = 1e-6;
constexpr double nano = 1e-9;

/// From microseconds of CPU time in each period of so many microseconds.
std::optional<CpuQuota> quota(double allowed, double period) {
  if (!(allowed > 0) || !(period > 0)) return std::nullopt;  // version 1 writes -1 where there is none
  return CpuQuota{allowed / period, period * micro};
}

/// "25000 100000"; "max 100000" where there is no quota.
std::optional<CpuQuota> quota_v2(const fs::path& group) {
  std::istringstream words(read_text(group / "cpu.max").value_or(""));
  double allowed = 0, period = 0;
  if (!(words >> allowed >> period)) return std::nullopt;
  return quota(allowed, period);
}

std::optional<CpuQuota> quota_v1(const fs::path& group) {
  return quota(read_number(group / "cpu.cfs_quota_us").value_or(-1),
               read_number(group / "cpu.cfs_period_us").value_or(0));
}

/// The number of a line "key number" of cpu.stat; 0 where there is none.
double stat_of(const fs::path& group, const std::string& key) {
  for (const std::string& line : read_lines(group / "cpu.stat")) {
    std::istringstream words(line);
    std::string name;
    double value = 0;
    if (words >> name >> value && name == key) return value;
  }
  return 0;
}

}  // namespace

std::vector<fs::path> cgroup_folders(CgroupVersion version, const std::string& controller,
                                     const fs::path& root) {
  std::vector<fs::path> folders;
  // A line of /proc/self/cgroup is ID:CONTROLLERS:PATH; version 2 has ID 0 and no controllers.
  for (const std::string& line : read_lines(root / "proc/self/cgroup")) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::vector<fs::path> mounts;  // where distributions and container engines mount it
    if (version == CgroupVersion::v2 && controllers.empty())
      mounts = {"sys/fs/cgroup", "sys/fs/cgroup/unified"};
    if (version == CgroupVersion::v1 &&
        fmt::format(",{},", controllers).find(fmt::format(",{},", controller)) != std::string::npos)
      mounts = {fs::path("sys/fs/cgroup") / controller, fs::path("sys/fs/cgroup") / controllers};
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    for (const fs::path& mount : mounts)
      for (fs::path at = group;; at = at.parent_path()) {
        std::error_code none;
        // "cpu" often is a link to "cpu,cpuacct".
        const fs::path folder = fs::canonical(root / mount / at, none);
        if (!none && std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
        if (at.empty()) break;
      }
  }
  return folders;
}

std::optional<CpuQuota> cpu_quota(const fs::path& root) {
  std::optional<CpuQuota> least;
  const auto consider = [&](const std::optional<CpuQuota>& found) {
    if (found && (!least || found->cpus < least->cpus)) least = found;
  };
  for (const fs::path& group : cgroup_folders(CgroupVersion::v2, "cpu", root)) consider(quota_v2(group));
  for (const fs::path& group : cgroup_folders(CgroupVersion::v1, "cpu", root)) consider(quota_v1(group));
  return least;
}

double throttled_seconds(const fs::path& root) {
  double seconds = 0;
  for (const fs::path& group : cgroup_folders(CgroupVersion::v2, "cpu", root))
    seconds += stat_of(group, "throttled_usec") * micro;
  for (const fs::path& group : cgroup_folders(CgroupVersion::v1, "cpu", root))
    seconds += stat_of(group, "throttled_time") * nano;
  return seconds;
}

}  // namespace uotbench
