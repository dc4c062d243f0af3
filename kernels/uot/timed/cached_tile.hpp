// A tile of rows that stays in the first caches: the dots of all its rows, their powers at once, and then its
// column sums. So a tile waits once for a power, where a pass that goes on row by row waits for each.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <experimental/simd>
#include <utility>

#include "harness/worker/buffer.hpp"
#include "kernels/uot/timed/next_scalings.hpp"

namespace uotbench::uot {

template <class Real>
class CachedTile {
  using Pack = std::experimental::native_simd<Real>;
  using One = std::experimental::simd<Real, std::experimental::simd_abi::scalar>;
  static constexpr std::size_t W = Pack::size(), most_rows = 128;
  static constexpr std::experimental::element_aligned_tag anywhere{};

 public:
  /// Tiles of `tile` rows, at most 128.
  CachedTile(const Problem<Real>& problem, std::size_t tile) : N_(problem.N), tile_(tile), next_(problem) {}

  /// `count` rows of K, in tiles: their u, from K v, and their share of the column sums is added.
  void rows(const Real* K, std::size_t count, const Real* a, Real* u, const Real* v, Real* sums) const {
    for (std::size_t i = 0; i < count; i += tile_)
      tile(K + i * N_, std::min(tile_, count - i), a + i, u + i, v, sums);
  }
  /// v, of what sum(V, j) gives for the columns from j on, as a V: several or one.
  template <class Sum>
  void columns(const Real* b, Real* v, Sum sum) const {
    each(N_, [&]<class V>(V, std::size_t j) { next_(v + j, b + j, sum(V(), j)); });
  }

 private:
  static constexpr std::size_t group = std::min<std::size_t>(4, W);  ///< rows that share a load of v

  /// Calls act(V, j) for all of `count` by vectors, then one by one.
  template <class Act>
  static void each(std::size_t count, Act act) {
    std::size_t j = 0;
    for (; j + W <= count; j += W) act(Pack(), j);
    for (; j < count; ++j) act(One(), j);
  }

  void tile(const Real* cells, std::size_t count, const Real* a, Real* u, const Real* v, Real* sums) const {
    alignas(cache_line) Real dots[most_rows];
    std::size_t r = 0;
    for (; r + W <= count; r += W) {
      std::array<Pack, W> rows;
      for (std::size_t k = 0; k < W; k += group) dots_of<group>(cells + (r + k) * N_, v, &rows[k]);
      sums_of_lanes<W / 2>(rows.data()).copy_to(dots + r, anywhere);
    }
    for (; r < count; ++r) {
      Pack row;
      dots_of<1>(cells + r * N_, v, &row);
      dots[r] = reduce(row);
    }
    for (std::size_t j = N_ - N_ % W; j < N_; ++j)
      for (r = 0; r < count; ++r) dots[r] += cells[r * N_ + j] * v[j];
    each(count, [&]<class V>(V, std::size_t at) { next_(u + at, a + at, V(dots + at, anywhere)); });
    add_to(sums, cells, count, u);
  }

  /// Of R rows, the lanes not yet summed up, and without the columns that fill no vector.
  template <std::size_t R>
  void dots_of(const Real* cells, const Real* v, Pack* dots) const {
    Pack dot[R] = {};
    for (std::size_t j = 0; j + W <= N_; j += W) {
      const Pack factor(v + j, anywhere);
      for (std::size_t r = 0; r < R; ++r) dot[r] += Pack(cells + r * N_ + j, anywhere) * factor;
    }
    std::copy_n(dot, R, dots);
  }
  /// Sums of some columns at a time stay in registers for all rows: where they are stored after every few
  /// rows, each waits for its own store, which at 64 x 64 takes as long as everything else.
  void add_to(Real* sums, const Real* cells, std::size_t count, const Real* u) const {
    std::size_t j = 0;
    for (; j + 8 * W <= N_; j += 8 * W) add<8, 1>(sums + j, cells + j, count, u);
    for (; j + 4 * W <= N_; j += 4 * W) add<4, 2>(sums + j, cells + j, count, u);
    for (; j + W <= N_; j += W) add<1, 4>(sums + j, cells + j, count, u);
    for (; j < N_; ++j)
      for (std::size_t r = 0; r < count; ++r) sums[j] += cells[r * N_ + j] * u[r];
  }
  /// C vectors of columns. R sums of each, of every R-th row: a multiply-add takes four cycles, and one or
  /// two begin in each.
  template <std::size_t C, std::size_t R>
  void add(Real* sums, const Real* cells, std::size_t count, const Real* u) const {
    Pack sum[R][C] = {};
    for (std::size_t c = 0; c < C; ++c) sum[0][c].copy_from(sums + c * W, anywhere);
    std::size_t r = 0;
    const auto row = [&](Pack * to, std::size_t at) __attribute__((always_inline)) {
      const Pack factor(u[at]);
      for (std::size_t c = 0; c < C; ++c) to[c] += Pack(cells + at * N_ + c * W, anywhere) * factor;
    };
    for (; r + R <= count; r += R)
#pragma GCC unroll 8
      for (std::size_t k = 0; k < R; ++k) row(sum[k], r + k);
    for (; r < count; ++r) row(sum[0], r);
    for (std::size_t c = 0; c < C; ++c) {
      for (std::size_t k = 1; k < R; ++k) sum[0][c] += sum[k][c];
      sum[0][c].copy_to(sums + c * W, anywhere);
    }
  }

  /// The sum of vector k in lane k: of two vectors first halves and second halves, number by number in turn,
  /// added, so that half of them are left. One after the other, 64 such sums cost half as much as the dots of
  /// 64 columns.
  template <std::size_t half>
  [[gnu::always_inline]] static Pack sums_of_lanes(const Pack* rows) {
    std::array<Pack, half> next;
#pragma GCC unroll 16
    for (std::size_t k = 0; k < half; ++k)
      next[k] = in_turn<0>(rows[k], rows[k + half]) + in_turn<W / 2>(rows[k], rows[k + half]);
    if constexpr (half == 1)
      return next[0];
    else
      return sums_of_lanes<half / 2>(next.data());
  }
  template <std::size_t first>
  [[gnu::always_inline]] static Pack in_turn(Pack x, Pack y) {
    using Vector [[gnu::vector_size(sizeof(Pack))]] = Real;
    return [&]<std::size_t... k>(std::index_sequence<k...>) __attribute__((always_inline)) {
      return std::bit_cast<Pack>(__builtin_shufflevector(std::bit_cast<Vector>(x), std::bit_cast<Vector>(y),
                                                         (first + k / 2 + k % 2 * W)...));
    }
    (std::make_index_sequence<W>());
  }

  std::size_t N_, tile_;
  NextScalings<Real> next_;
};

}  // namespace uotbench::uot
