// Where a process may run.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>

namespace uotbench {

/// No CPU has this number or a larger one: Linux can be built for 8192.
constexpr int most_cpus = 65536;

/// The CPUs that a process, or its first thread, may run on; 0 is this one. Empty: it is gone.
std::set<int> cpus_of(pid_t pid);

/// "0-3,8"
std::string cpu_list(const std::set<int>& cpus);

}  // namespace uotbench
