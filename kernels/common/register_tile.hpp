// A tile of a matrix product in registers, of which only the best of each row is kept.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <experimental/simd>
#include <limits>
#include <span>

namespace uotbench {

using Floats = std::experimental::native_simd<float>;
inline constexpr std::size_t lanes = Floats::size();

/// The best candidates so far of a query: of each lane the score, and which vector of candidates it was in.
/// That is an integer, carried as a float's bits, so that one mask moves both.
struct alignas(Floats) LaneBest {
  Floats score = -std::numeric_limits<float>::infinity(), vector = 0;

  /// Of all lanes; of equal ones the first candidate.
  void merge(float& best, std::int32_t& index) const {
    best = std::experimental::hmax(score);
    index = std::numeric_limits<std::int32_t>::max();
    for (std::size_t k = 0; k < lanes; ++k)
      if (score[k] == best)
        index = std::min(index, std::bit_cast<std::int32_t>(float(vector[k])) * int(lanes) + int(k));
  }
};

/// Points first .. first+count-1 of a set become columns: [D][count]. Those beyond its end are `beyond`.
inline void transpose(std::span<const float> set, std::size_t D, std::size_t first, std::size_t count,
                      float beyond, float* to) {
  for (std::size_t d = 0; d < D; ++d)
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t from = (first + k) * D + d;
      to[d * count + k] = from < set.size() ? set[from] : beyond;
    }
}

/// `rows` queries meet `vectors` vectors of candidates, the first of which is number `vector`; both
/// transposed. NaN is never the best.
template <int rows, int vectors>
void meet(const float* queries, const float* candidates, std::size_t D, int vector, LaneBest* best) {
  Floats sums[rows][vectors] = {};
  for (std::size_t d = 0; d < D; ++d) {
    Floats others[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v)
      others[v].copy_from(candidates + (d * vectors + v) * lanes, std::experimental::vector_aligned);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sums[r][v] += Floats(queries[d * rows + r]) * others[v];
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      const auto better = sums[r][v] > best[r].score;
      where(better, best[r].score) = sums[r][v];
      where(better, best[r].vector) = Floats(std::bit_cast<float>(std::int32_t{vector + v}));
    }
}

}  // namespace uotbench
