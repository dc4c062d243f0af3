// Where a process may run.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>

namespace uotbench {

/// The CPUs that a process, or its first thread, may run on; 0 is this one. Empty: it is gone.
std::set<int> cpus_of(pid_t pid);

/// "0-3,8"
std::string cpu_list(const std::set<int>& cpus);

}  // namespace uotbench
