#include "harness/host/facts/memory.hpp"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "harness/host/process/cpu_use.hpp"
#include "harness/host/process/files.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

/// The files' names differ between the versions of the kernel's interface
/// (Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst).
struct Interface {
  CgroupVersion version;
  const char* limit;
  const char* usage;
  std::vector<std::string> cache;  ///< keys of memory.stat: file pages, which go when memory is short
};

const Interface version_2{
    CgroupVersion::v2, "memory.max", "memory.current", {"inactive_file", "active_file"}};
const Interface version_1{CgroupVersion::v1,
                          "memory.limit_in_bytes",
                          "memory.usage_in_bytes",
                          {"total_inactive_file", "total_active_file"}};

/// The sum of these keys of a file of "key number" lines.
double sum_of(const fs::path& file, const std::vector<std::string>& keys) {
  double sum = 0;
  for (const std::string& line : read_lines(file)) {
    std::istringstream words(line);
    std::string key;
    double value = 0;
    if (words >> key >> value && std::ranges::find(keys, key) != keys.end()) sum += value;
  }
  return sum;
}

/// What is left of one group's limit; absent where it has none ("max" is no number).
std::optional<double> left_in(const fs::path& group, const Interface& names) {
  const auto limit = read_number(group / names.limit);
  const auto usage = read_number(group / names.usage);
  if (!limit || !usage) return std::nullopt;
  const double cache = std::min(sum_of(group / "memory.stat", names.cache), *usage);
  return std::max(*limit - *usage + cache, 0.0);
}

/// What is left of this process's cgroups.
double left_in_cgroups(const fs::path& root) {
  double least = std::numeric_limits<double>::infinity();
  for (const Interface& names : {version_2, version_1})
    for (const fs::path& group : cgroup_folders(names.version, "memory", root))
      least = std::min(least, left_in(group, names).value_or(least));
  return least;
}

}  // namespace

Memory available_memory(const fs::path& root) {
  const double available = 1024 * sum_of(root / "proc/meminfo", {"MemAvailable:"});
  if (available == 0)
    throw std::runtime_error((root / "proc/meminfo").string() +
                             " does not report how much memory is available");
  const double left = left_in_cgroups(root);
  return left < available ? Memory{left, "cgroup"} : Memory{available, "MemAvailable"};
}

double shared_memory_free(const fs::path& folder) {
  struct statvfs space {};
  if (::statvfs(folder.c_str(), &space) != 0) return 0;
  // A tmpfs mounted with size=0 has no limit and reports no blocks at all.
  if (space.f_blocks == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
}

double resident_bytes(pid_t pid, const fs::path& root) {
  // proc(5): the second number is the resident set, in pages.
  std::ifstream statm(root / "proc" / std::to_string(pid) / "statm");
  double size = 0, resident = 0;
  if (!(statm >> size >> resident)) return 0;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double proportional_bytes(pid_t pid, const fs::path& root) {
  const double kilobytes = sum_of(root / "proc" / std::to_string(pid) / "smaps_rollup", {"Pss:"});
  return kilobytes > 0 ? 1024 * kilobytes : resident_bytes(pid, root);
}

}  // namespace uotbench
