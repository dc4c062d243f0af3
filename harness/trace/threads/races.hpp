// Finds accesses of several threads that nothing orders, in what they logged.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/trace/threads/log.hpp"

namespace uotbench::trace {

/// Sites of two accesses; `first` is the one that was played first.
struct RacingPair {
  struct Side {
    unsigned site = 0;
    bool write = false, atomic = false;
    int thread = 0;
  };
  Side first, second;
  unsigned bytes = 0;
  std::uint64_t count = 0;
};

/// What happens before what: barriers, forks and joins order epochs, meetings order threads within one. Log t
/// is thread t's. Of each pair of sites the first pair of threads, in an order that repeats where no meetings
/// are; the most frequent pair first. Throws std::bad_alloc.
std::vector<RacingPair> find_races(const std::vector<const Log*>& logs);

}  // namespace uotbench::trace
