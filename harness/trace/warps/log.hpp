// What one thread of a block did, 8 bytes an event: 48 bits of an address (none of a basic block or a
// meeting) and 16 of a site.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "harness/trace/base/mapped.hpp"
#include "harness/trace/warps/sites.hpp"

namespace uotbench::trace {

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
