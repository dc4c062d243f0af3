// The first half of an iteration in COFFEE's manner (Sun, Luo, Jiang, Zhang, Li 2023): rows are summed and
// scaled while in cache, then columns are summed in row order.
#pragma once

#include "kernels/uot/parts/column_sums.hpp"
#include "kernels/uot/parts/plan_in_place.hpp"

namespace uotbench::uot {

/// `sums` is then to be reduced.
template <class Real>
void scale_rows_and_sum_columns(const Problem<Real>& p, PlanInPlace<Real>& plan, ColumnSums<Real>& all_sums) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < p.M; ++i) {
    Real* const row = plan.row(i);
    Real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t j = 0; j < p.N; ++j) sum += row[j];
    const Real factor = plan.row_factor(i, sum);
    for (std::size_t j = 0; j < p.N; ++j) row[j] *= factor;
  }
#pragma omp parallel
  {
    Real* const sums = all_sums.mine();
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < p.M; ++i)
      for (std::size_t j = 0; j < p.N; ++j) sums[j] += plan.row(i)[j];
  }
}

}  // namespace uotbench::uot
