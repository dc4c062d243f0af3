// The control groups that this process is in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace uotbench {

/// The two interfaces of the kernel (Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/).
enum class CgroupVersion { v1, v2 };

/// Folders of this process's group and of all groups around it in which `controller` ("cpu", "memory") has
/// its files, each once, the innermost first. Inside a container the path in /proc/self/cgroup may name a
/// group that is mounted elsewhere; the mount point then is the container's own group.
std::vector<std::filesystem::path> cgroup_folders(CgroupVersion version, const std::string& controller,
                                                  const std::filesystem::path& root = "/");

}  // namespace uotbench
