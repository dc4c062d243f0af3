// Who is nearest: every point of one set looks at all of another, many at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace uotbench::uot {

/// of[q]: the nearest of `points` (count x D) to query q; of those equally near the first.
template <int D, class Real>
void nearest_in(std::span<const Real> queries, std::span<const Real> points, std::span<std::uint32_t> of) {
  constexpr std::size_t lanes = 256 / sizeof(Real);
  const std::size_t count = points.size() / D, blocks = (of.size() + lanes - 1) / lanes;
#pragma omp parallel for schedule(static)
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = block * lanes, some = std::min(lanes, of.size() - first);
    Real query[D][lanes] = {}, best[lanes];
    std::uint32_t which[lanes] = {};
    std::fill_n(best, lanes, std::numeric_limits<Real>::infinity());
    for (std::size_t l = 0; l < some; ++l)
      for (std::size_t c = 0; c < D; ++c) query[c][l] = queries[(first + l) * D + c];
    for (std::size_t i = 0; i < count; ++i) {
      const Real* const point = points.data() + i * D;
#pragma omp simd
      for (std::size_t l = 0; l < lanes; ++l) {
        Real apart = 0;
        for (int c = 0; c < D; ++c) apart += (query[c][l] - point[c]) * (query[c][l] - point[c]);
        const bool nearer = apart < best[l];
        best[l] = nearer ? apart : best[l];
        which[l] = nearer ? static_cast<std::uint32_t>(i) : which[l];
      }
    }
    std::copy_n(which, some, of.data() + first);
  }
}

/// The same of points of d = 2, 3 or 8 dimensions.
template <class Real>
void nearest(std::span<const Real> queries, std::span<const Real> points, std::size_t d,
             std::span<std::uint32_t> of) {
  if (d == 2) return nearest_in<2>(queries, points, of);
  if (d == 3) return nearest_in<3>(queries, points, of);
  nearest_in<8>(queries, points, of);
}

}  // namespace uotbench::uot
