// Both steps of an iteration in one pass over the rows of a matrix: the dots of a few rows with the column
// factors give their row factors, which, while the rows are in cache, go into the next column sums. MAP-UOT
// (Algorithm 1) does so with a plan that it scales in place, one_read with K, which it never writes.
//
// The pass is a pipeline: it takes the dots of one group of rows while it adds up the group before, so that
// memory is read all the time. In turns, dots and then sums, memory waits during the sums: 1.75 ms instead of
// 1.18 for 4096 x 4096 f32 (two threads of an Intel Xeon with AVX-512 and 2 MiB of L2, the matrix in L3).
// Rows that begin a cache line further apart, so that they share no sets of a cache, change nothing there;
// without huge pages it is 7% slower. Sums that lag 64 to 1024 columns further behind, so that a group's
// powers have that long, are no faster in L1 and L2 (two cores of AMD's Zen 4).
#pragma once

#include <algorithm>
#include <array>
#include <experimental/simd>
#include <type_traits>
#include <vector>

#include "kernels/uot/parts/column_sums.hpp"
#include "kernels/uot/parts/row_groups.hpp"
#include "kernels/uot/problem.hpp"

namespace uotbench::uot {

namespace simd = std::experimental;

/// The axis `prefetch`. The hardware's own prefetchers stop at the end of a page. Of the same case: 1.23 ms
/// without, 1.17 with 256 B to 1 KiB, 1.19 with 2 KiB, 1.25 with 4 KiB; 13.6, 12.3, 12.6 and 13.0 ms for
/// 10240 x 10240. Hints for the L2 cache alone make it 2% slower, those for a single use 4 times as slow.
inline Axis prefetch_ahead() {
  return {.name = "prefetch",
          .standard = 1024,
          .least = 0,
          .most = 65536,
          .about = "bytes of each row that are asked for ahead; 0: none"};
}

/// The axes of kernels that read K in such a pass.
inline std::vector<Axis> one_read_axes() {
  return {rows_at_once("rows of K in work at a time"), prefetch_ahead(), group_of_sums()};
}

/// Cells in C order, read and left alone. Other kinds of cells have the same members.
template <class Real>
struct ReadCells {
  using Stored = Real;
  using Pack = simd::native_simd<Real>;
  static constexpr std::size_t packs = 1;  ///< what load() gives

  template <class V>
  static std::array<V, 1> load(Stored* cells) {
    return {V(cells, simd::element_aligned)};
  }
  /// What row factor u and column factors v make of those loaded from `cells`, for the column sums.
  template <class V>
  static V scaled(const V& cell, const V&, const V& u, Stored*) {
    return cell * u;
  }
};

/// Cells of a plan, scaled where they are as well.
template <class Real>
struct PlanCells : ReadCells<Real> {
  template <class V>
  static V scaled(const V& cell, const V& column_factor, const V& row_factor, Real* at) {
    const V now = cell * column_factor * row_factor;
    now.copy_to(at, simd::element_aligned);
    return now;
  }
};

/// `Cells` says how a matrix of M x N is stored. Takes the axes `rows` (this number shares each load of a
/// column factor and of a column sum), `prefetch`, and `group` where there is one (column_sums.hpp).
template <class Real, class Cells = ReadCells<Real>>
class FusedPass {
  using Stored = typename Cells::Stored;
  using Pack = typename Cells::Pack;
  using One = simd::simd<Real, simd::simd_abi::scalar>;
  static constexpr std::size_t block = Cells::packs * Pack::size();

 public:
  explicit FusedPass(const Problem<Real>& problem)
      : M_(problem.M),
        N_(problem.N),
        rows_(problem.at.integer("rows")),
        ahead_(static_cast<std::size_t>(problem.at.integer("prefetch")) / sizeof(Stored)),
        alone_(problem.team.threads() == 1),
        sums_(problem) {}

  /// Calls u_i = step(i, sum_j cell_ij v_j) once for every row, by the thread that has the row, and adds the
  /// scaled row to the column sums. A `step` that takes vectors gets the sums of rows i, i + 1, ... in one.
  template <class Step>
  void rows(Stored* matrix, const Real* v, Step step) {
#pragma omp parallel
    walk_rows(matrix, v, step);
  }
  /// The same for cells that are only read.
  template <class Step>
  void rows(const Stored* matrix, const Real* v, Step step) {
    rows(const_cast<Stored*>(matrix), v, step);
  }

  /// Calls take(j, sum of column j) for every column; columns are split over the threads.
  template <class Take>
  void columns(Take take) {
    sums_.reduce(take);
  }

  /// Calls act() in every thread: rows and columns in one parallel region.
  template <class Act>
  void in_team(Act act) {
    if (alone_) return act();  // a team of one takes 0.3 us, a quarter of 64 x 64
#pragma omp parallel
    act();
  }
  /// rows() for the calling thread's rows of a matrix that is only read; all threads of in_team() call it.
  template <class Step>
  void my_rows(const Stored* matrix, const Real* v, Step step) {
    walk_rows(const_cast<Stored*>(matrix), v, step);
  }
  /// columns() for the calling thread's columns, once all threads have been through their rows.
  template <class Take>
  void my_columns(Take take) {
#pragma omp barrier
    sums_.reduce_mine(take);
  }

  /// For records: what `group` came to.
  Facts facts() const { return {{"threads_of_group", sums_.group()}}; }

 private:
  /// What a walk over the columns does: the dots of one group of rows, the sums of another, or both.
  enum class Walk { dots, sums, both };

  /// R rows: their cells, and what becomes of them.
  template <int R>
  struct Group {
    Stored* cells;
    Pack dots[R] = {};
    One rest[R] = {};  ///< dots of the columns that fill no block
    Real u[R] = {};
  };

  template <class Step>
  void walk_rows(Stored* matrix, const Real* v, Step& step) {
    Real* const sums = sums_.mine();
    const auto [first, last] = share(M_, omp_get_thread_num(), omp_get_num_threads());
    in_ranges(rows_, first, last, [&](auto R, std::size_t begin, std::size_t end) {
      if (begin < end) pipeline<R()>(matrix, v, begin, end, step, sums);
    });
  }

  template <int R, class Step>
  void pipeline(Stored* matrix, const Real* v, std::size_t i, std::size_t end, Step& step, Real* sums) const {
    Group<R> last{matrix + i * N_};
    columns_of<R, Walk::dots>(last, last, v, sums);
    take_step(last, i, step);
    for (i += R; i < end; i += R) {
      Group<R> next{matrix + i * N_};
      columns_of<R, Walk::both>(next, last, v, sums);
      take_step(next, i, step);
      last = next;
    }
    columns_of<R, Walk::sums>(last, last, v, sums);
  }

  template <int R, class Step>
  static void take_step(Group<R>& group, std::size_t i, Step& step) {
    constexpr int several = std::min<int>(R, simd::native_simd<Real>::size());  // what a register holds
    using Several = simd::simd<Real, simd::simd_abi::deduce_t<Real, several>>;
    const auto dot = [&](int r) { return simd::reduce(group.dots[r]) + group.rest[r][0]; };
    if constexpr (std::is_invocable_v<Step&, std::size_t, Several>)
      for (int r = 0; r < R; r += several)
        step(i + r, Several([&](int k) { return dot(r + k); })).copy_to(group.u + r, simd::element_aligned);
    else
      for (int r = 0; r < R; ++r) group.u[r] = step(i + r, dot(r));
  }

  /// All columns: dots of `next`, sums of `last`.
  template <int R, Walk walk>
  void columns_of(Group<R>& next, const Group<R>& last, const Real* v, Real* sums) const {
    const std::size_t whole = N_ - N_ % block;
    columns_as<R, walk>(next, next.dots, last, v, sums, 0, whole);
    columns_as<R, walk>(next, next.rest, last, v, sums, whole, N_);
  }

  /// Columns j to `end` by V. What the loop keeps is in locals: no store to cells can change those.
  template <int R, Walk walk, class V>
  void columns_as(const Group<R>& next, V* next_dots, const Group<R>& last, const Real* v, Real* sums,
                  std::size_t j, std::size_t end) const {
    constexpr bool dots = walk != Walk::sums, adds = walk != Walk::dots;
    constexpr std::size_t packs = std::is_same_v<V, One> ? 1 : Cells::packs;
    const std::size_t stride = N_, ahead = ahead_;
    Stored *const next_cells = next.cells, *const last_cells = last.cells;
    V dot[R] = {}, u[R], factors[packs], added[packs];
    for (int r = 0; r < R; ++r) u[r] = last.u[r];
    for (; j < end; j += packs * V::size()) {
      for (std::size_t p = 0; p < packs; ++p) {
        factors[p].copy_from(v + j + p * V::size(), simd::element_aligned);
        if constexpr (adds) added[p].copy_from(sums + j + p * V::size(), simd::element_aligned);
      }
      for (int r = 0; r < R; ++r) {
        if constexpr (dots) {
          Stored* const cells = next_cells + r * stride + j;
          if (ahead > 0) __builtin_prefetch(cells + ahead);
          const auto loaded = Cells::template load<V>(cells);
          for (std::size_t p = 0; p < packs; ++p) dot[r] += loaded[p] * factors[p];
        }
        if constexpr (adds) {
          Stored* const cells = last_cells + r * stride + j;
          const auto loaded = Cells::template load<V>(cells);
          for (std::size_t p = 0; p < packs; ++p)
            added[p] += Cells::scaled(loaded[p], factors[p], u[r], cells + p * V::size());
        }
      }
      if constexpr (adds)
        for (std::size_t p = 0; p < packs; ++p)
          added[p].copy_to(sums + j + p * V::size(), simd::element_aligned);
    }
    if constexpr (dots)
      for (int r = 0; r < R; ++r) next_dots[r] = dot[r];
  }

  std::size_t M_, N_;
  std::int64_t rows_;
  std::size_t ahead_;  ///< in cells
  bool alone_;         ///< one thread has all rows
  ColumnSums<Real> sums_;
};

}  // namespace uotbench::uot
