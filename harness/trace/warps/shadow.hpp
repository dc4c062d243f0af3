// Who wrote and read each piece of shared memory, to find what nothing orders: two threads, one of them
// writes, with no barrier and no collective of their warp between. And what was never written.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/trace/base/mapped.hpp"
#include "harness/trace/warps/clocks.hpp"
#include "harness/trace/warps/sites.hpp"

namespace uotbench::trace {

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
