// One pass over K that takes both steps: K v and K' u are of the same read. While a few rows of K are in
// cache, their dots with v give their scalings, which go straight into the column sums.
#pragma once

#include <experimental/simd>

#include "kernels/uot/column_sums.hpp"
#include "kernels/uot/problem.hpp"
#include "kernels/uot/row_groups.hpp"
#include "kernels/uot/scalings.hpp"

namespace uotbench::uot {

namespace simd = std::experimental;

/// Reads K, M x N in C order, as `Stored`, and computes in Real. Takes the axis `rows`: so many rows share
/// each load of v and of the column sums.
template <class Real, class Stored = Real>
class OneReadPass {
  using Pack = simd::native_simd<Real>;

 public:
  explicit OneReadPass(const Problem<Real>& problem)
      : M_(problem.M), N_(problem.N), rows_(problem.at.integer("rows")), sums_(problem) {}

  /// Calls u_i = step(i, sum_j K_ij v_j) once for every row, by the thread that has the row, and adds u_i K_i
  /// to the column sums.
  template <class Step>
  void rows(const Stored* K, const Real* v, Step step) {
#pragma omp parallel
    {
      Real* const sums = sums_.mine();
      const auto [first, last] = share(M_, omp_get_thread_num(), omp_get_num_threads());
      in_groups(rows_, first, last, [&](auto R, std::size_t i) { group<R()>(K, v, i, step, sums); });
    }
  }

  /// Calls take(j, sum_i u_i K_ij) for every column; columns are split over the threads.
  template <class Take>
  void columns(Take take) {
    sums_.reduce(take);
  }

 private:
  template <int R, class Step>
  void group(const Stored* matrix, const Real* v, std::size_t i, Step& step, Real* sums) const {
    const std::size_t N = N_, whole = N - N % Pack::size();
    const Stored* const K = matrix + i * N;
    Pack dots[R] = {};
    for (std::size_t j = 0; j < whole; j += Pack::size()) {
      const Pack scaling(v + j, simd::element_aligned);
      for (int r = 0; r < R; ++r) dots[r] += Pack(K + r * N + j, simd::element_aligned) * scaling;
    }
    Real u[R];
    for (int r = 0; r < R; ++r) {
      Real dot = simd::reduce(dots[r]);
      for (std::size_t j = whole; j < N; ++j) dot += K[r * N + j] * v[j];
      u[r] = step(i + r, dot);
    }
    for (std::size_t j = 0; j < whole; j += Pack::size()) {
      Pack sum(sums + j, simd::element_aligned);
      for (int r = 0; r < R; ++r) sum += Pack(K + r * N + j, simd::element_aligned) * u[r];
      sum.copy_to(sums + j, simd::element_aligned);
    }
    for (std::size_t j = whole; j < N; ++j)
      for (int r = 0; r < R; ++r) sums[j] += K[r * N + j] * u[r];
  }

  std::size_t M_, N_;
  std::int64_t rows_;
  ColumnSums<Real> sums_;
};

}  // namespace uotbench::uot
