// Column sums of a matrix whose rows are split over threads: each adds up its own, then all are added.
#pragma once

#include <omp.h>

#include <algorithm>
#include <vector>

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

  /// Calls take(j, sum of column j) for every column; columns are split over the threads.
  template <class Take>
  void reduce(Take take) {
#pragma omp parallel for schedule(static)
    for (std::size_t j = 0; j < columns_; ++j) take(j, total(j));
  }

  /// The sum of column j.
  Real total(std::size_t j) const {
    Real sum = 0;
    for (int t = 0; t < threads_; ++t) sum += partial_[stride_ * static_cast<std::size_t>(t) + j];
    return sum;
  }

 private:
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
