// --under: one case under another program, which sees the worker and nothing of this one.
#pragma once

#include <string>

#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/worker_pool.hpp"

namespace uotbench {

/// Becomes `command` WORKER --case ID [--once], on the case's CPUs, in this terminal: gdb, perf, ncu, VTune,
/// numactl, valgrind. Returns never. Throws UsageError where the plan holds not exactly one case, or one that
/// cannot run here, and where the program cannot be started.
[[noreturn]] void run_under(const std::string& command, bool once, const Plan& plan, WorkerPool& pool);

}  // namespace uotbench
