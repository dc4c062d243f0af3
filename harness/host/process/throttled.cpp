#include "harness/host/process/throttled.hpp"

#include <sstream>
#include <string>

#include "harness/host/process/cgroups.hpp"
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
