// A worker by itself: one case in this process, for gdb, perf, valgrind, ncu, numactl.
#pragma once

#include <string>
#include <vector>

#include "harness/worker/serve/build.hpp"

namespace uotbench {

/// What `uotbench-worker-NAME ARGUMENTS...` does; --help says it. The program `uotbench` is started, and asks
/// this process for what it asks any worker: it makes the inputs, judges, and says what came out. Points fd 1
/// at stderr for the kernel. Returns the exit code; throws UsageError for what the arguments have wrong.
int alone(const Build& build, const std::vector<std::string>& arguments);

}  // namespace uotbench
