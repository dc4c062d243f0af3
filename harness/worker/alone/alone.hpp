// A worker started by hand, for one case; and main() of every worker of one process.
#pragma once

#include <string>
#include <vector>

#include "harness/worker/serve/build.hpp"

namespace uotbench {

// A worker by itself: one case in this process, for gdb, perf, valgrind, ncu, numactl.

/// What `uotbench-worker-NAME ARGUMENTS...` does; --help says it. The program `uotbench` is started, and asks
/// this process for what it asks any worker: it makes the inputs, judges, and says what came out. Points fd 1
/// at stderr for the kernel. Returns the exit code; throws UsageError for what the arguments have wrong.
int alone(const Build& build, const std::vector<std::string>& arguments);

// All that a worker's main does.

/// Without arguments it serves the protocol on stdin, with arguments it runs one case alone. Returns the exit
/// code; throws nothing.
int worker_main(int argc, char** argv, const Build& build);

}  // namespace uotbench
