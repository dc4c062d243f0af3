// Caches so small that what they do can be counted by hand: of one set, so that only the order of use
// matters.
#pragma once

#include "harness/trace/threads/hierarchy.hpp"

namespace uotbench::trace {

inline constexpr std::uint64_t line = 64;

inline CacheShape lines(int count) {
  return {.bytes = static_cast<std::uint64_t>(count) * line, .ways = count};
}

/// L1 of two lines, L2 of four, L3 of eight.
inline Geometry small() { return {lines(2), lines(4), lines(8)}; }

class Caches {
 public:
  explicit Caches(int cores = 1, const Geometry& geometry = small()) : caches_(geometry, cores) {}
  Caches& read(std::uint64_t address, int core = 0, unsigned size = 4) {
    caches_.access(core, address, size, false, site);
    return *this;
  }
  Caches& write(std::uint64_t address, int core = 0, unsigned size = 4) {
    caches_.access(core, address, size, true, site);
    return *this;
  }
  Caches& read_lines(std::uint64_t first, std::uint64_t last) {
    for (auto each = first; each <= last; ++each) read(each * line);
    return *this;
  }
  Caches& write_lines(std::uint64_t first, std::uint64_t last) {
    for (auto each = first; each <= last; ++each) write(each * line);
    return *this;
  }
  Counts counts() const { return caches_.counts(); }
  Between between() const { return caches_.between(); }
  std::uint64_t blamed(unsigned who) const { return caches_.false_sharing_at(who); }

  static constexpr unsigned site = 7;

 private:
  Hierarchy caches_;
};

}  // namespace uotbench::trace
