// A worker by itself: one case in this process, for gdb, perf, valgrind, ncu, numactl.
#pragma once

#include <string>
#include <vector>

namespace uotbench {

/// What `uotbench-worker-NAME ARGUMENTS...` does; --help says it. Prints its one line on stdout and points
/// fd 1 at stderr for the kernel. Returns the exit code; throws UsageError for what the arguments have wrong,
/// and Error where the case fails.
int alone(const std::string& worker, const std::vector<std::string>& arguments);

}  // namespace uotbench
