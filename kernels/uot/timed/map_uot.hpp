// MAP-UOT (Sun, Hu, Jiang 2024, Algorithm 1) but for who walks which rows: while a row is in cache it is
// scaled by the column factors, summed, scaled by its row factor and added to the next column sums, so that a
// pass reads and writes the plan once. A pass starts with the column step: the first row step (a pass whose
// column factors are 1) and the last column step are not timed.
#pragma once

#include <algorithm>
#include <utility>

#include "kernels/uot/timed/column_sums.hpp"
#include "kernels/uot/timed/in_page.hpp"
#include "kernels/uot/timed/plan_in_place.hpp"

namespace uotbench::uot {

template <class Real>
class MapUotPlan : public PlanInPlace<Real> {
 public:
  explicit MapUotPlan(const Problem<Real>& problem)
      : PlanInPlace<Real>(problem), p_(problem), column_factors_(p_.N, factors_in_page) {
    forget_column_factors();
  }

  const Real* column_factors() const { return column_factors_.data(); }

  /// Line 2: `sum` is that of column j over all rows.
  void set_column_factor(std::size_t j, Real sum) { column_factors_.data()[j] = this->column_factor(j, sum); }

  /// They are in the plan.
  void forget_column_factors() { std::fill_n(column_factors_.data(), p_.N, Real(1)); }

  /// Lines 6 to 14: both steps of row i, which is then added to `sums`.
  void rescale_row(std::size_t i, Real* sums) {
    Real* const row = this->row(i);
    const Real* const factors = column_factors();
    Real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t j = 0; j < p_.N; ++j) sum += row[j] *= factors[j];
    const Real factor = this->row_factor(i, sum);
#pragma omp simd
    for (std::size_t j = 0; j < p_.N; ++j) sums[j] += row[j] *= factor;
  }

  /// Writes the plan, its columns scaled by the factors of the last column step.
  void write(Result<Real>& out) {
    if (out.plan.empty()) return;
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i)
      for (std::size_t j = 0; j < p_.N; ++j) out.plan[i * p_.N + j] = this->row(i)[j] * column_factors()[j];
  }

 private:
  const Problem<Real>& p_;
  InPage<Real> column_factors_;
};

/// Algorithm 1 on one thread. `Rescale::row(plan, i, N, sums)` makes both steps of row i of N columns and
/// adds it to `sums`: lines 6 to 14.
template <class Real, class Rescale>
class OneThreadMapUot {
 public:
  static constexpr KernelTraits declares{.begins = true};

  explicit OneThreadMapUot(const Problem<Real>& problem) : p_(problem), plan_(problem), next_sums_(problem) {}

  void begin() { pass(); }

  void iterate() {
    if (!std::exchange(stepped_, false)) column_step();
    pass();
  }

  void finish(Result<Real>& out) {
    if (!std::exchange(stepped_, true)) column_step();
    plan_.write(out);
  }

 private:
  void column_step() {
    next_sums_.reduce([&](std::size_t j, Real sum) { plan_.set_column_factor(j, sum); });
  }

  void pass() {
    Real* const next_sums = next_sums_.mine();
    for (std::size_t i = 0; i < p_.M; ++i) Rescale::row(plan_, i, p_.N, next_sums);
  }

  const Problem<Real>& p_;
  MapUotPlan<Real> plan_;
  ColumnSums<Real> next_sums_;
  bool stepped_ = false;  ///< finish() has made the column step after the last pass
};

/// RW: two elements moved per cell; two products and two additions.
inline Work map_uot_work(const Point& at) {
  return {
      .flops = 4 * cells(at), .bytes_read = width(at) * cells(at), .bytes_written = width(at) * cells(at)};
}

}  // namespace uotbench::uot
