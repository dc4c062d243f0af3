// The lines that one core had to fetch last, and whether a prefetcher could have followed it to the next
// line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

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

}  // namespace uotbench::trace
