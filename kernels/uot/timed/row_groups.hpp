// Several rows in work at once: how many is a tunable, known to the compiler so that loops over them unroll.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "harness/protocol/point.hpp"

namespace uotbench::uot {

/// The axis `rows`.
inline Axis rows_at_once(const char* about) {
  return {.name = "rows", .standard = 4, .values = {1, 2, 4, 8}, .about = about};
}

/// Calls run(R, first, last) so that every row is in one range: R = `rows` rows divide the first range, and
/// R = 1 that of the rows left over. Ranges may be empty; R() is a constant expression.
template <class Run>
void in_ranges(std::int64_t rows, std::size_t first, std::size_t last, Run run) {
  const auto range = [&]<int R>(std::integral_constant<int, R> r) {
    const std::size_t end = last - (last - first) % R;
    run(r, first, end);
    first = end;
  };
  if (rows == 2) range(std::integral_constant<int, 2>{});
  if (rows == 4) range(std::integral_constant<int, 4>{});
  if (rows == 8) range(std::integral_constant<int, 8>{});
  range(std::integral_constant<int, 1>{});
}

/// Calls act(R, i) for groups of R = `rows` rows i .. i+R-1 of [first, last), and with R = 1 for those left
/// over; R() is a constant expression.
template <class Act>
void in_groups(std::int64_t rows, std::size_t first, std::size_t last, Act act) {
  in_ranges(rows, first, last, [&]<int R>(std::integral_constant<int, R> r, std::size_t i, std::size_t end) {
    for (; i < end; i += R) act(r, i);
  });
}

}  // namespace uotbench::uot
