// The sweeps of NumPy's in-place form, `A *= r[:, None]; A *= c`: sum rows, scale rows, sum columns, scale
// columns, each a pass over the whole plan in row order. The MAP-UOT paper's baseline (there called POT).
#include "kernels/uot/timed/column_sums.hpp"
#include "kernels/uot/timed/plan_in_place.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class NumpyOrder {
 public:
  explicit NumpyOrder(const Problem<Real>& problem)
      : p_(problem), plan_(problem), row_factors_(p_.M), column_factors_(p_.N), sums_(problem) {}

  void iterate() {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i) {
      const Real* const row = plan_.row(i);
      Real sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t j = 0; j < p_.N; ++j) sum += row[j];
      row_factors_[i] = plan_.row_factor(i, sum);
    }
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i)
      for (std::size_t j = 0; j < p_.N; ++j) plan_.row(i)[j] *= row_factors_[i];
#pragma omp parallel
    {
      Real* const sums = sums_.mine();
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < p_.M; ++i)
        for (std::size_t j = 0; j < p_.N; ++j) sums[j] += plan_.row(i)[j];
    }
    sums_.reduce([&](std::size_t j, Real sum) { column_factors_[j] = plan_.column_factor(j, sum); });
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i)
      for (std::size_t j = 0; j < p_.N; ++j) plan_.row(i)[j] *= column_factors_[j];
  }

  void finish(Result<Real>& out) { plan_.write(out); }

 private:
  const Problem<Real>& p_;
  PlanInPlace<Real> plan_;
  std::vector<Real> row_factors_, column_factors_;
  ColumnSums<Real> sums_;
};

/// R, RW, R, RW: six elements moved per cell; two additions and two products.
Work work(const Point& at) {
  return {.flops = 4 * cells(at),
          .bytes_read = 4 * width(at) * cells(at),
          .bytes_written = 2 * width(at) * cells(at)};
}

const Variant<NumpyOrder<float>, NumpyOrder<double>> variant{{
    .name = "uot/numpy_order",
    .summary = "four sweeps in row order, in place, as NumPy does it (6 MN elements moved)",
    .work = work,
}};

}  // namespace
}  // namespace uotbench::uot
