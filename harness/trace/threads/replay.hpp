// What is found in the logs of threads: misses of the caches that they are replayed through, and races.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/trace/base/mapped.hpp"
#include "harness/trace/threads/hierarchy.hpp"
#include "harness/trace/threads/log.hpp"

namespace uotbench::trace {

// Plays what several threads logged through the caches, one after the other.

// Addresses that repeat from run to run, wherever the system put the memory this time.

/// What is in the arena becomes its offset there. Pages outside follow it, numbered in the order in which
/// they are first asked for.
class Pages {
 public:
  static constexpr std::uint64_t page = 4096;

  /// Throws std::bad_alloc.
  Pages(const char* arena, std::size_t arena_bytes)
      : arena_(reinterpret_cast<std::uintptr_t>(arena)),
        arena_bytes_(arena_bytes),
        first_((arena_bytes + page - 1) / page),
        slots_(most) {}

  std::uint64_t place_of(std::uint64_t address) {
    if (address - arena_ < arena_bytes_) return address - arena_;
    const std::uint64_t wanted = address / page + 1;  // 0 is a free slot
    std::uint64_t slot = wanted % most;
    while (slots_[slot].page != wanted) {
      if (slots_[slot].page == 0) {
        if (count_ == most / 2) {
          full_ = true;
          return address % page;
        }
        slots_[slot] = {wanted, first_ + count_++};
        break;
      }
      slot = (slot + 1) % most;
    }
    return slots_[slot].number * page + address % page;
  }

  /// Whether pages came that there was no number for.
  bool full() const { return full_; }
  /// 16 GiB.
  static constexpr std::uint64_t most_bytes() { return most / 2 * page; }

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 23;
  struct Slot {
    std::uint64_t page, number;
  };

  std::uint64_t arena_, arena_bytes_, first_, count_ = 0;
  bool full_ = false;
  Mapped<Slot> slots_;
};

/// Log t is core t's. Epochs come one after another; within one, each thread that has accesses left makes one
/// in turn. What order the threads ran in this time does not matter, so that equal programs count equal.
/// Before the epochs from `mark` on begin, or at the end where there are none, it calls at_mark() once; not
/// where mark is Log::Reader::none. Returns Counts::longest_share of the epochs before it.
std::uint64_t replay(const std::vector<const Log*>& logs, Pages& pages, Hierarchy& hierarchy,
                     std::uint64_t mark = Log::Reader::none, const std::function<void()>& at_mark = {});

// Finds accesses of several threads that nothing orders, in what they logged.

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
