// The caches of a CPU's cores: one cache, and the hierarchy of them; and whether a prefetcher could have
// followed from one line that a core had to fetch to the next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "harness/trace/base/mapped.hpp"
#include "harness/trace/threads/log.hpp"
#include "harness/trace/threads/trace.hpp"

namespace uotbench::trace {

/// 32 lines, for 32 streams that a prefetcher follows (the streamer of L2 in Intel's optimization reference
/// manual). A miss among the neighbours of a recent line, two lines away at most, continues a stream; other
/// misses are of scattered lines, as in a column of a matrix or in a table that is looked up.
class RecentLines {
 public:
  RecentLines() { lines_.fill(far_from_all); }

  /// Adds a line that is fetched now. Whether it is near none of those before.
  bool add(std::uint64_t line) {
    constexpr std::uint64_t near = 2;
    unsigned neighbours = 0;
    for (const std::uint64_t other : lines_)
      neighbours +=
          static_cast<unsigned>(other != line) & static_cast<unsigned>(line - other + near <= 2 * near);
    lines_[oldest_] = line;
    oldest_ = (oldest_ + 1) % lines_.size();
    return neighbours == 0;
  }

 private:
  // Line numbers are addresses over the length of a line.
  static constexpr std::uint64_t far_from_all = std::numeric_limits<std::uint64_t>::max() / 2;

  std::array<std::uint64_t, 32> lines_;
  std::size_t oldest_ = 0;
};

// One cache: which lines it holds, which of them are dirty, and in which order they were used.

/// Set-associative with true LRU; line number n is in set n modulo the number of sets, which need not be a
/// power of two.
class Cache {
 public:
  struct Victim {
    std::uint64_t line = 0;
    bool dirty = false;  ///< false, too, where nothing had to go
  };

  /// Throws std::invalid_argument where bytes are no whole number of sets of `ways` lines, or a line is no
  /// power of two from 16 to 256 bytes.
  explicit Cache(const CacheShape& shape);

  /// Whether the line is here: it is then the most recent one, and dirty if `dirty` or if it was.
  bool touch(std::uint64_t line, bool dirty) {
    std::uint64_t* const set = set_of(line);
    if ((set[0] | dirty_bit) == entry(line, true)) {  // the usual case, and nothing to move
      set[0] |= dirty ? dirty_bit : 0;
      return true;
    }
    return touch_others(set, line, dirty);
  }
  /// Makes room for a line that is not here, and puts it there as the most recent one. Returns what had to
  /// go.
  Victim insert(std::uint64_t line, bool dirty);

  bool holds(std::uint64_t line) const { return find(line) != nullptr; }
  bool holds_dirty(std::uint64_t line) const {
    const std::uint64_t* const found = find(line);
    return found && (*found & dirty_bit);
  }
  /// Whether it was dirty, which it is no longer.
  bool clean(std::uint64_t line);
  /// Whether it was here, where it is no longer.
  bool remove(std::uint64_t line);

  /// Calls act(line) for every dirty line.
  template <class Act>
  void each_dirty(Act act) const {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i] & dirty_bit) act(entries_[i] >> 2);
  }

 private:
  static constexpr std::uint64_t valid_bit = 1, dirty_bit = 2;
  static std::uint64_t entry(std::uint64_t line, bool dirty) {
    return line << 2 | (dirty ? dirty_bit : 0) | valid_bit;
  }
  static bool is(std::uint64_t entry, std::uint64_t line) {
    return (entry & ~dirty_bit) == (line << 2 | valid_bit);
  }

  std::uint64_t* set_of(std::uint64_t line) { return entries_.data() + index_of(line); }
  std::uint64_t index_of(std::uint64_t line) const {
    return (mask_ ? line & mask_ : line % sets_) * static_cast<std::uint64_t>(ways_);
  }
  const std::uint64_t* find(std::uint64_t line) const {
    const std::uint64_t from = index_of(line);
    for (int way = 0; way < ways_; ++way)
      if (is(entries_[from + static_cast<std::uint64_t>(way)], line))
        return &entries_[from + static_cast<std::uint64_t>(way)];
    return nullptr;
  }
  bool touch_others(std::uint64_t* set, std::uint64_t line, bool dirty);

  int ways_;
  std::uint64_t sets_, mask_;      // mask_: 0 where the number of sets is no power of two
  Mapped<std::uint64_t> entries_;  // of each set, the most recent first
};

// Cores with an L1 and an L2 of their own and an L3 that they share, all or those that share one, and
// what an access does to them.
//
// Caches are filled on the way up and do not include or exclude one another: a miss puts the line into L3, L2
// and L1, and a line that leaves one stays in the others. Written lines are fetched first and written back
// when they leave. Coherence is MESI: a write takes the line away from all other cores; a read of a line that
// is modified elsewhere has it written to L3, and both share it; a write of one takes it over as it is,
// without L3. Clean lines come from L3 or DRAM, never from another core. Of several L3 one that has a line
// changed gives it to readers at another and keeps it so (the state Owned of MOESI); a write takes a line
// away from all others; clean lines come from the own L3 or from DRAM.

class Hierarchy {
 public:
  /// Throws std::invalid_argument for what Cache() does not take, caches with different lines, and other than
  /// 1 to 64 cores.
  Hierarchy(const Geometry& geometry, int cores);

  /// `size` bytes, at most a line; an access that spans two lines is one access and touches both. `site`
  /// (of Sites) is to blame for its false sharing.
  void access(int core, std::uint64_t address, unsigned size, bool write, unsigned site) {
    ++(write ? counts_.writes : counts_.reads);
    const std::uint64_t first = address >> shift_, last = (address + size - 1) >> shift_;
    if (!directory_) {
      Core& own = *core_[0];
      if (!own.l1.touch(first, write)) miss<false>(0, first, 0, write, site);
      if (last != first && !own.l1.touch(last, write)) miss<false>(0, last, 0, write, site);
    } else {
      access_shared(core, address, size, write, site);
    }
  }

  /// What was counted, with the dirty lines that are left taken as written: this number would go in a steady
  /// state. Without false_sharing_lines.
  Counts counts() const;
  /// What cores had of each other so far.
  Between between() const { return between_; }
  /// Misses of false sharing by site.
  std::uint64_t false_sharing_at(unsigned site) const { return false_sharing_[site]; }

 private:
  struct Core {
    Core(const Geometry& geometry, int its_part, Cache* its_l3)
        : l1(geometry.l1), l2(geometry.l2), part(its_part), l3(its_l3) {}
    Cache l1, l2;
    int part;   ///< the L3 it uses
    Cache* l3;  ///< null: there is none
    RecentLines into_l1 = {}, into_l2 = {}, into_l3 = {};
  };
  /// What is known of a line. Bit c is core c.
  struct Line {
    std::uint64_t holders;  ///< every core that holds it, and perhaps some that have let it go
    std::uint64_t losers;   ///< those whose copy another core's write took away
    std::uint64_t parts;    ///< of several L3 those that hold it, and perhaps some that have let it go
    std::uint64_t written;  ///< 1 + the number of the losers' words in written_; 0: none yet
  };

  void access_shared(int core, std::uint64_t address, unsigned size, bool write, unsigned site);
  /// `words`: those of the line that are accessed, of 4 bytes.
  void touch_shared(int core, std::uint64_t line, std::uint64_t words, bool write, unsigned site);
  /// Of L1.
  template <bool shared>
  void miss(int core, std::uint64_t line, std::uint64_t words, bool write, unsigned site);
  template <bool shared>
  void fetch(int core, std::uint64_t line, bool write);
  void into_l1(Core& core, std::uint64_t line, bool dirty);
  void into_l2(Core& core, std::uint64_t line, bool dirty);
  void into_l3(Core& core, std::uint64_t line, bool dirty);
  /// From the core's L2.
  void write_back(Core& core, std::uint64_t line);
  /// Whether an L3 that the core does not use has it changed.
  bool is_dirty_beside_others(const Core& core, std::uint64_t line);

  /// Says why the core has lost the line, if it has.
  void classify(int core, std::uint64_t line, std::uint64_t words, unsigned site);
  /// The core that has it modified, -1: none.
  int owner(int core, std::uint64_t line);
  void share(int owner, std::uint64_t line);
  void claim(int core, std::uint64_t line, std::uint64_t words);
  std::uint64_t& written_since(Line& line, int core);

  int cores_, shift_;
  std::vector<std::unique_ptr<Core>> owners_;
  std::unique_ptr<Core*[]> core_;  // the same, for code in the callbacks
  std::vector<std::unique_ptr<Cache>> l3s_;
  Counts counts_;
  Between between_;
  Mapped<std::uint64_t> false_sharing_;
  // One core needs neither.
  std::unique_ptr<Mapped<Line>> directory_;
  std::unique_ptr<Mapped<std::uint64_t>> written_;
  std::uint64_t losers_words_ = 0;
};

}  // namespace uotbench::trace
