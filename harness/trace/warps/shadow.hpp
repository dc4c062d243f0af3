// What is known of each byte that a grid accesses: who did last, and whether another access races with it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/trace/base/mapped.hpp"
#include "harness/trace/warps/log.hpp"

namespace uotbench::trace {

// What is ordered before what, in one block: by a barrier all of it, by a collective of a warp what its lanes
// did. Threads run one at a time here, so a time of the whole block replaces each thread's own clock
// (Flanagan, Freund: FastTrack, PLDI 2009, has one a thread).

using Stamp = std::uint32_t;  ///< meetings of a launch, counted

class WarpClocks {
 public:
  void begin_launch(int threads) {
    threads_ = threads;
    warps_.assign((static_cast<unsigned>(threads) + 31) / 32, {});
    begin_block();
  }
  void begin_block() {
    barrier();
    block_ = interval_;
  }
  void barrier() { interval_ = ++now_; }
  void met(int warp, std::uint32_t mask) {
    Warp& those = warps_[warp];
    const int lanes = std::min(32, threads_ - 32 * warp);
    const std::uint32_t all = lanes == 32 ? ~0u : (1u << lanes) - 1;
    const Stamp before = now_++;
    if ((mask & all) == all) {
      those.whole = now_;
      return;
    }
    if (those.part <= since(warp)) {
      those.part = now_;
      those.seen.assign(32 * 32, 0);
    }
    Stamp joined[32];
    for (int of = 0; of < 32; ++of) {
      joined[of] = mask >> of & 1 ? before + 1 : 0;
      for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
        joined[of] = std::max(joined[of], those.seen[32 * __builtin_ctz(rest) + of]);
    }
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
      std::copy_n(joined, 32, &those.seen[32 * __builtin_ctz(rest)]);
  }

  Stamp now() const { return now_; }
  Stamp block() const { return block_; }        ///< since when this block runs
  Stamp interval() const { return interval_; }  ///< since when all of it is not ordered
  /// Since when the lanes of this warp are not all ordered.
  Stamp since(int warp) const { return std::max(interval_, warps_[warp].whole); }
  /// When lanes met that were not all of the warp, first after since(); 0: they did not.
  Stamp part(int warp) const { return warps_[warp].part > since(warp) ? warps_[warp].part : 0; }
  /// Whether what `lane` did at `at` is ordered before what `other`, of the same warp, does now.
  bool ordered(int warp, int lane, Stamp at, int other) const {
    return at < since(warp) || (part(warp) != 0 && at < warps_[warp].seen[32 * other + lane]);
  }

 private:
  struct Warp {
    Stamp whole = 0, part = 0;
    std::vector<Stamp> seen;  // by lane: up to when it knows what each other one did; from `part` on
  };

  int threads_ = 0;
  Stamp now_ = 0, block_ = 0, interval_ = 0;
  std::vector<Warp> warps_;
};

// Who wrote and read each piece of shared memory, to find what nothing orders: two threads, one of them
// writes, with no barrier and no collective of their warp between. And what was never written.

/// Another thread's access that is not ordered with the one that is about to be made.
struct Race {
  int thread = -1;  ///< -1: there is none
  SiteNumber site = 0;
  AccessKind kind = AccessKind::read;
};

class WarpShadow {
 public:
  struct Unwritten {
    int thread = 0;
    unsigned size = 0;
    SiteNumber site = 0;
  };

  /// Throws std::bad_alloc.
  void begin_launch(std::uint64_t bytes, int threads, bool same_kernel);
  void begin_block();
  void barrier();
  void met(int warp, std::uint32_t mask) { clocks_.met(warp, mask); }
  void run(int thread) {
    thread_ = thread;
    warp_ = thread / 32;
    lane_ = thread % 32;
  }

  /// `at`: bytes of shared memory before it.
  Race access(std::uint64_t at, unsigned size, AccessKind kind, SiteNumber site) {
    if ((size >> grain_) == 0) [[unlikely]]
      refine();
    Race race;
    for (std::uint64_t cell = at >> grain_, end = cell + (size >> grain_); cell < end; ++cell) {
      race = kind == AccessKind::read    ? read(cell, size, site)
             : kind == AccessKind::write ? write(cell, site)
                                         : change(cell, size, site);
      if (race.thread >= 0) break;
    }
    return race;
  }

  /// The first read, since the last barrier, of what was not written; null: there was none. It is reported
  /// late, because where a thread is about to write it that is a race, which says more.
  const Unwritten* unwritten() const { return has_unwritten_ ? &unwritten_ : nullptr; }

 private:
  /// Threads that did the same: lanes of one warp, and one of another warp.
  struct Group {
    Stamp stamp = 0;  // of the last lane's
    std::uint32_t lanes = 0;
    std::uint16_t warp = 0, other = 0;  // other: a thread + 1
    SiteNumber site = 0;
  };
  struct Cell {
    Stamp written = 0;
    std::uint16_t writer = 0;
    SiteNumber write_site = 0;
    Group readers;
  };
  /// When each lane was in the group of a cell, where lanes met apart from the rest of their warp.
  using Stamps = Mapped<Stamp>;

  Race read(std::uint64_t cell, unsigned size, SiteNumber site);
  Race write(std::uint64_t cell, SiteNumber site);
  Race change(std::uint64_t cell, unsigned size, SiteNumber site);
  Race against_write(const Cell& cell) const;
  Race against(const Group& group, Stamps& stamps, std::uint64_t cell, AccessKind kind) const;
  void join(Group& group, Stamps& stamps, std::uint64_t cell, SiteNumber site);
  void note_unwritten(const Cell& cell, unsigned size, SiteNumber site);
  void refine();
  void allot();

  WarpClocks clocks_;
  int thread_ = 0, warp_ = 0, lane_ = 0;
  std::uint64_t bytes_ = 0;
  unsigned grain_ = 2;  // a cell is 4 bytes, or 1 where smaller accesses were made
  // Untouched pages take no memory.
  std::unique_ptr<Mapped<Cell>> cells_;
  std::unique_ptr<Mapped<Group>> changers_;  // who made atomic accesses
  std::unique_ptr<Stamps> read_stamps_, change_stamps_;
  bool has_changes_ = false;  // since the last barrier
  bool has_unwritten_ = false;
  Unwritten unwritten_;
};

}  // namespace uotbench::trace
