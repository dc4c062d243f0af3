// --by-hand: one case in a worker that somebody started, for a debugger or a profiler.
#pragma once

#include "tools/uotbench/flags/run_flags.hpp"

namespace uotbench {

/// What `uotbench-worker-NAME --case ID` starts: that worker is at the other end of stdin, and is asked as
/// any other. Prints what came out, in the worker's name; returns the exit code.
int run_by_hand(const RunFlags& flags);

}  // namespace uotbench
