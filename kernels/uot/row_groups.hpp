// Several rows in work at once: how many is a tunable, known to the compiler so that loops over them unroll.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "harness/protocol/axis.hpp"

namespace uotbench::uot {

/// The axis `rows`.
inline Axis rows_at_once(const char* about) {
  return {.name = "rows", .standard = 4, .values = {1, 2, 4, 8}, .about = about};
}

/// Calls act(R, i) for groups of R = `rows` rows i .. i+R-1 of [first, last), and with R = 1 for those left
/// over; R() is a constant expression.
template <class Act>
void in_groups(std::int64_t rows, std::size_t first, std::size_t last, Act act) {
  const auto groups = [&]<int R>(std::integral_constant<int, R> r) {
    for (; first + R <= last; first += R) act(r, first);
  };
  if (rows == 2) groups(std::integral_constant<int, 2>{});
  if (rows == 4) groups(std::integral_constant<int, 4>{});
  if (rows == 8) groups(std::integral_constant<int, 8>{});
  groups(std::integral_constant<int, 1>{});
}

}  // namespace uotbench::uot
