// How loops are split over OpenMP threads, and when.
#pragma once

#include <cstddef>
#include <utility>

namespace uotbench {

/// Cells from which on a team pays: waking one takes some 5 us, and milliseconds where other programs keep
/// the CPUs busy; one thread does this many in about 0.1 ms.
inline constexpr std::size_t worth_a_team = std::size_t{1} << 16;

/// Rows [first, second) of `count` that part `index` of `parts` works on; sizes differ by at most one.
inline std::pair<std::size_t, std::size_t> share(std::size_t count, int index, int parts) {
  const auto i = static_cast<std::size_t>(index), n = static_cast<std::size_t>(parts);
  return {count * i / n, count * (i + 1) / n};
}

}  // namespace uotbench
