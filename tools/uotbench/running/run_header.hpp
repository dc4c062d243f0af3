// The first line of a run file: all that its records come from, and the command that began it.
#pragma once

#include <string>
#include <vector>

#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {

/// Now, in UTC, by strftime's format.
std::string utc(const char* format);

/// Of a run that starts now: without ceilings, caches and metrics.
RunHeader run_header(const Sweep& sweep, bool verify_only, WorkerPool& pool, const Plan& plan);

/// Throws UsageError naming all that has changed between a run and its continuation (plan, options, machine,
/// a worker's device or build, an input file) and the command that goes on. What a later start wrote is
/// compared, not the first line. `command`: this program's own, without a file.
void require_same(const Run& before, const RunHeader& now, const Plan& plan, const std::string& command);

/// The command that started this program, as a shell takes it.
std::string own_command();
/// The same without --resume, --force and --output, which say where a run goes and not what it is.
std::string own_command_of_any_file();

}  // namespace uotbench
