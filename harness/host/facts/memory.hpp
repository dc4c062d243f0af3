// How much memory there is for arrays, and how much a process has taken.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace uotbench {

struct Memory {
  double bytes = 0;
  std::string limited_by;  ///< "MemAvailable" or "cgroup"
};

/// What can be allocated without swapping or being killed: the lesser of MemAvailable and what is left of the
/// limits of this process's cgroups (v1 or v2, the group and all groups around it), where file cache that
/// the kernel would drop counts as left. Throws std::runtime_error where /proc/meminfo tells nothing.
Memory available_memory(const std::filesystem::path& root = "/");

/// Bytes that can still be written to files in `folder`; 0 where it does not exist; infinite where the
/// file system has no size of its own.
double shared_memory_free(const std::filesystem::path& folder = "/dev/shm");

/// Bytes of memory that the process holds (resident, shared pages included); 0 if it is gone.
double resident_bytes(pid_t pid, const std::filesystem::path& root = "/");

/// Likewise, where pages that several processes share are divided among them, so that the sum over processes
/// is what they hold together. Takes long: milliseconds for each GB. Where the system does not tell it, as
/// resident_bytes.
double proportional_bytes(pid_t pid, const std::filesystem::path& root = "/");

}  // namespace uotbench
