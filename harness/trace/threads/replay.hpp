// Plays what several threads logged through the caches, one after the other.
#pragma once

#include <vector>

#include "harness/trace/threads/hierarchy.hpp"
#include "harness/trace/threads/log.hpp"
#include "harness/trace/threads/pages.hpp"

namespace uotbench::trace {

/// Log t is core t's. Epochs come one after another; within one, each thread that has accesses left makes one
/// in turn. What order the threads ran in this time does not matter, so that equal programs count equal.
void replay(const std::vector<const Log*>& logs, Pages& pages, Hierarchy& hierarchy);

}  // namespace uotbench::trace
