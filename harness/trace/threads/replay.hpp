// Plays what several threads logged through the caches, one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/trace/threads/hierarchy.hpp"
#include "harness/trace/threads/log.hpp"
#include "harness/trace/threads/pages.hpp"

namespace uotbench::trace {

/// Log t is core t's. Epochs come one after another; within one, each thread that has accesses left makes one
/// in turn. What order the threads ran in this time does not matter, so that equal programs count equal.
/// Before the epochs from `mark` on begin, or at the end where there are none, it calls at_mark() once; not
/// where mark is Log::Reader::none. Returns Counts::longest_share of the epochs before it.
std::uint64_t replay(const std::vector<const Log*>& logs, Pages& pages, Hierarchy& hierarchy,
                     std::uint64_t mark = Log::Reader::none, const std::function<void()>& at_mark = {});

}  // namespace uotbench::trace
