// Column sums of a matrix whose rows are split over threads: each adds up its own, then all are added.
#pragma once

#include <omp.h>

#include <algorithm>
#include <experimental/simd>
#include <type_traits>
#include <vector>

#include "harness/worker/parallel.hpp"
#include "kernels/uot/problem.hpp"

namespace uotbench::uot {

template <class Real>
class ColumnSums {
 public:
  explicit ColumnSums(const Problem<Real>& problem)
      : columns_(problem.N),
        stride_(padded(problem.N)),
        threads_(problem.team.threads()),
        partial_(stride_ * static_cast<std::size_t>(threads_)) {}

  /// The calling thread's accumulators, set to zero: call once in a parallel region, before adding rows.
  Real* mine() { return of(omp_get_thread_num()); }
  /// Those of a thread of the kernel's own.
  Real* of(int thread) {
    Real* const sums = partial_.data() + stride_ * static_cast<std::size_t>(thread);
    std::fill_n(sums, columns_, Real(0));
    return sums;
  }

  /// Calls take(j, sum of column j) for every column; columns are split over the threads. A `take` that takes
  /// vectors gets the sums of columns j, j + 1, ... in one.
  template <class Take>
  void reduce(Take take) {
#pragma omp parallel
    reduce_mine(take);
  }
  /// The same of the calling thread's columns, in a parallel region.
  template <class Take>
  void reduce_mine(Take& take) const {
    auto [j, last] = share(columns_, omp_get_thread_num(), omp_get_num_threads());
    if constexpr (std::is_invocable_v<Take&, std::size_t, Pack>) {
      for (; j + Pack::size() <= last; j += Pack::size()) take(j, totals<Pack>(j));
      for (; j < last; ++j) take(j, totals<One>(j));
    } else {
      for (; j < last; ++j) take(j, total(j));
    }
  }

  /// The sum of column j.
  Real total(std::size_t j) const {
    Real sum = 0;
    for (int t = 0; t < threads_; ++t) sum += partial_[stride_ * static_cast<std::size_t>(t) + j];
    return sum;
  }

 private:
  using Pack = std::experimental::native_simd<Real>;
  using One = std::experimental::simd<Real, std::experimental::simd_abi::scalar>;

  template <class V>
  V totals(std::size_t j) const {
    V sum = Real(0);
    for (int t = 0; t < threads_; ++t)
      sum +=
          V(partial_.data() + stride_ * static_cast<std::size_t>(t) + j, std::experimental::element_aligned);
    return sum;
  }

  /// Whole cache lines, and one between threads, so that no two threads write to one (false sharing).
  static std::size_t padded(std::size_t columns) {
    constexpr std::size_t line = cache_line / sizeof(Real);
    return (columns + line - 1) / line * line + line;
  }

  std::size_t columns_, stride_;
  int threads_;
  Buffer<Real> partial_;
};

}  // namespace uotbench::uot
