// The sweeps of NumPy's in-place form, `A *= r[:, None]; A *= c`: sum rows, scale rows, sum columns, scale
// columns, each a pass over the whole plan in row order. The MAP-UOT paper's baseline (there called POT).
#include "kernels/uot/column_sums.hpp"
#include "kernels/uot/problem.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class NumpyOrder {
 public:
  explicit NumpyOrder(const Problem<Real>& problem)
      : p_(problem),
        plan_(private_copy(problem)),
        u_(p_.M, 1),
        v_(p_.N, 1),
        rows_(p_.M),
        columns_(p_.N),
        sums_(problem) {}

  void iterate() {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i) {
      Real sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t j = 0; j < p_.N; ++j) sum += row(i)[j];
      rows_[i] = rescaling(u_[i], p_.a[i], sum, p_);
    }
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i)
      for (std::size_t j = 0; j < p_.N; ++j) row(i)[j] *= rows_[i];
#pragma omp parallel
    {
      Real* const sums = sums_.mine();
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < p_.M; ++i)
        for (std::size_t j = 0; j < p_.N; ++j) sums[j] += row(i)[j];
    }
    sums_.reduce([&](std::size_t j, Real sum) { columns_[j] = rescaling(v_[j], p_.b[j], sum, p_); });
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i)
      for (std::size_t j = 0; j < p_.N; ++j) row(i)[j] *= columns_[j];
  }

  void finish(Result<Real>& out) { std::ranges::copy(plan_.view(), out.plan.begin()); }

 private:
  Real* row(std::size_t i) { return plan_.data() + i * p_.N; }

  const Problem<Real>& p_;
  Buffer<Real> plan_;
  std::vector<Real> u_, v_, rows_, columns_;
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
