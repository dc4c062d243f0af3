// One cache: which lines it holds, which of them are dirty, and in which order they were used.
#pragma once

#include <cstdint>

#include "harness/trace/base/mapped.hpp"
#include "harness/trace/threads/trace.hpp"

namespace uotbench::trace {

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

}  // namespace uotbench::trace
