// One case in this terminal: under another program, or in a worker that was started by hand.
#pragma once

#include <string>

#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "tools/uotbench/flags/run_flags.hpp"

namespace uotbench {

/// Becomes `command` WORKER --case ID [--once], on the case's CPUs, in this terminal: gdb, perf, ncu, VTune,
/// numactl, valgrind. Returns never. Throws UsageError where the plan holds not exactly one case, or one that
/// cannot run here, and where the program cannot be started.
[[noreturn]] void run_under(const std::string& command, bool once, const Plan& plan, WorkerPool& pool);

/// What `uotbench-worker-NAME --case ID` starts: that worker is at the other end of stdin, and is asked as
/// any other. Prints what came out, in the worker's name; returns the exit code.
int run_by_hand(const RunFlags& flags);

}  // namespace uotbench
