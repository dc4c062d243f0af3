#include "harness/host/process/cgroups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/host/process/files.hpp"

namespace uotbench {
namespace fs = std::filesystem;

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

}  // namespace uotbench
