// What one thread of a block did, 8 bytes an event: 48 bits of an address (none of a basic block or a
// meeting) and 16 of a site.
#pragma once

#include <sys/mman.h>

#include <cstdint>

#include "harness/trace/mapped.hpp"
#include "harness/trace/warp_sites.hpp"

namespace uotbench::trace {

namespace event {
inline std::uint64_t of(std::uint64_t address, SiteNumber site) {
  return address | static_cast<std::uint64_t>(site) << 48;
}
inline std::uint64_t address(std::uint64_t event) { return event & ((std::uint64_t{1} << 48) - 1); }
inline SiteNumber site(std::uint64_t event) { return static_cast<SiteNumber>(event >> 48); }
}  // namespace event

class ThreadLog {
 public:
  /// Throws std::bad_alloc.
  ThreadLog() : words_(1024) {}

  /// The logs of a warp are read together: without this, all in the same set of a cache.
  void set_lane(int lane) { skew_ = static_cast<std::size_t>(lane) * 16; }

  std::uint64_t* begin() { return words_.data() + skew_; }
  std::uint64_t* end() { return begin() + used; }
  /// Events that it holds until grow(): one word more is for the mark at the end.
  std::size_t room() const { return words_.size() - skew_ - 1; }
  /// Throws std::bad_alloc.
  void grow() { words_.grown(words_.size()); }
  void clear() {
    if (words_.size() > kept) ::madvise(words_.data(), words_.size() * sizeof(std::uint64_t), MADV_DONTNEED);
    used = at_meeting = 0;
  }

  std::size_t used = 0;        ///< events
  std::size_t at_meeting = 0;  ///< of these, made until the last meeting,
  std::uint64_t dropped = 0;   ///<   and since then such as were not kept
  bool met = false;            ///< the last one was a meeting: it has not ended

  static constexpr unsigned deepest = 16;
  unsigned depth = 0;  ///< calls
  std::uint64_t path = 0;
  std::uint64_t callers[deepest] = {};

 private:
  static constexpr std::size_t kept = std::size_t{1} << 16;

  Mapped<std::uint64_t> words_;
  std::size_t skew_ = 0;
};

}  // namespace uotbench::trace
