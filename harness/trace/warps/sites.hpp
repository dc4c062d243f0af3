// The places of a kernel, as numbers of 16 bits: an access is a place in the code of one kind, one size and
// one space, and, where functions are called, one way to get there. Basic blocks and meetings have numbers,
// too.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/trace/base/mapped.hpp"
#include "harness/trace/warps/warps.hpp"

namespace uotbench::trace {

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

}  // namespace uotbench::trace
