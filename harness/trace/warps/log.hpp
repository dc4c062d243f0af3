// Accesses of a GPU's threads as they are logged, and the places in the source that make them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/trace/base/mapped.hpp"
#include "harness/trace/warps/warps.hpp"

namespace uotbench::trace {

// The places of a kernel, as numbers of 16 bits: an access is a place in the code of one kind, one size and
// one space, and, where functions are called, one way to get there. Basic blocks and meetings have numbers,
// too.

using SiteNumber = std::uint16_t;

struct Site {
  enum class Is { access, block, meeting };

  Is is = Is::block;
  std::uint64_t place = 0;  ///< code address
  SiteCounts counts;        ///< of an access; without names
};

/// What is known of a place of an access, for the next one to find fast.
struct alignas(64) Entry {
  enum class Then : std::uint8_t { record, ignore, check };  ///< check: and whether other threads are there

  std::uint64_t key = 0;     ///< 0: a free one
  std::uint64_t begin = 0;   ///< where the last one's memory begins,
  std::uint64_t room = 0;    ///<   and how far from there the next may begin
  std::uint64_t shadow = 0;  ///< of shared memory: its number in the shadow
  SiteNumber sites[3] = {};  ///< by space; 0: none
  Space space = Space::global;
  Then then = Then::record;
};

/// Keys of entries.
struct EntryKey {
  static constexpr std::uint64_t block = std::uint64_t{7} << 60, meeting = std::uint64_t{6} << 60;
  static constexpr unsigned path_bits = 11;

  static constexpr std::uint64_t of(AccessKind kind, unsigned size) {
    return (static_cast<std::uint64_t>(kind) + 1) << 58 | static_cast<std::uint64_t>(__builtin_ctz(size))
                                                              << 60;
  }
};

class WarpSites {
 public:
  static constexpr SiteNumber start = 0, end = 0xffff;  ///< of what was recorded; no places
  static constexpr std::size_t most = end;

  /// Throws std::bad_alloc.
  WarpSites() : entries_(slots) { clear(); }

  /// A place's entry is near those of the code around it.
  Entry& guess(std::uint64_t key) { return entries_[slot(key)]; }
  /// Made where there was none, with no room. Null: there are too many. Throws std::bad_alloc.
  Entry* find(std::uint64_t key);
  /// 0: there are too many.
  SiteNumber add(Site site);
  Site& operator[](SiteNumber number) { return sites_[number]; }
  std::size_t size() const { return sites_.size(); }
  void clear();

 private:
  static constexpr std::size_t slots = std::size_t{1} << 17;  // twice the number of sites

  /// Two calls are 5 bytes of code apart at least; the path, and what is done there, are in the upper bits.
  static std::size_t slot(std::uint64_t key) {
    return static_cast<std::size_t>(key >> 2 ^ key >> 42) & (slots - 1);
  }

  Mapped<Entry> entries_;
  std::vector<Entry*> used_;
  std::vector<Site> sites_;
};

// What one thread of a block did, 8 bytes an event: 48 bits of an address (none of a basic block or a
// meeting) and 16 of a site.

namespace event {
inline std::uint64_t of(std::uint64_t address, SiteNumber site) {
  return address | static_cast<std::uint64_t>(site) << 48;
}
inline std::uint64_t address(std::uint64_t event) { return event & ((std::uint64_t{1} << 48) - 1); }
inline SiteNumber site(std::uint64_t event) { return static_cast<SiteNumber>(event >> 48); }
}  // namespace event

/// Short ones share pages with others', so that few are touched.
class alignas(64) ThreadLog {
 public:
  /// Words of it at first. An odd number of cache lines: the logs of a warp are read together, and would
  /// otherwise all be in the same set of a cache.
  static constexpr std::size_t first = 17 * 8;

  /// Before all else.
  void begin_with(std::uint64_t* words) {
    begin_ = words;
    room_ = first - 1;
  }

  std::uint64_t* begin() { return begin_; }
  std::uint64_t* end() { return begin_ + used; }
  /// Events that it holds until grow(): one word more is for the mark at the end.
  std::size_t room() const { return room_; }
  /// Throws std::bad_alloc.
  void grow() {
    if (own_) {
      own_->grown(own_->size());
    } else {
      own_ = std::make_unique<Mapped<std::uint64_t>>(std::size_t{1024});
      for (std::size_t i = 0; i < used; ++i) (*own_)[i] = begin_[i];
    }
    begin_ = own_->data();
    room_ = own_->size() - 1;
  }
  void clear() {
    if (room_ >= kept) ::madvise(begin_, (room_ + 1) * sizeof(std::uint64_t), MADV_DONTNEED);
    used = at_meeting = 0;
  }

 private:
  static constexpr std::size_t kept = std::size_t{1} << 16;

  std::uint64_t* begin_ = nullptr;
  std::size_t room_ = 0;

 public:
  std::size_t used = 0;        ///< events
  std::size_t at_meeting = 0;  ///< of these, made until the last meeting,
  std::uint64_t dropped = 0;   ///<   and since then such as were not kept
  std::uint64_t path = 0;      ///< of calls, as keys have it
  unsigned depth = 0;          ///< of calls
  bool met = false;            ///< the last event was a meeting: it has not ended

  static constexpr unsigned deepest = 16;
  std::uint64_t callers[deepest] = {};

 private:
  std::unique_ptr<Mapped<std::uint64_t>> own_;
};

}  // namespace uotbench::trace
