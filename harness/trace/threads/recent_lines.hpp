// The lines that one core had to fetch last, and whether a prefetcher could have told the next one from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace uotbench::trace {

/// As many as there are streams that a prefetcher follows: 32 (the streamer of L2 in Intel's optimization
/// reference manual). A miss among the neighbours of one of them, two lines away at most, continues a stream;
/// any other is a line of its own, as of a column of a matrix or of a table that is looked up.
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
