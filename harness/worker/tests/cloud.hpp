// Points as users have them, and uniform ones are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace uotbench {

/// A user's cloud of points in d dimensions: clusters, a line, and points that are there twice.
inline std::vector<double> awkward_cloud(std::size_t count, std::size_t d, std::uint64_t seed) {
  std::vector<double> points(count * d);
  std::uint64_t state = seed;
  const auto drawn = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) / 9007199254740992.;
  };
  for (std::size_t p = 0; p < count; ++p) {
    const double along = drawn(), middle = p % 3 == 0 ? .2 : .8;
    for (std::size_t k = 0; k < d; ++k)
      points[p * d + k] = p % 5 == 4   ? points[(p - 1) * d + k]
                          : p % 2 == 0 ? along
                                       : middle + .02 * (drawn() - .5);
  }
  return points;
}

}  // namespace uotbench
