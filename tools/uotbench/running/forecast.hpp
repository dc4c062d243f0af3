// What a run would come to, before it is begun.
#pragma once

#include <string>

#include "tools/uotbench/running/execute.hpp"

namespace uotbench {

/// Lines for --dry-run: how many cases a variant has, how long sampling may take by the options, and how long
/// the newest whole run of the same plan took in all, where results/runs has one.
std::string forecast(const Execution& what, WorkerPool& pool);

}  // namespace uotbench
