// MAP-UOT (Sun, Hu, Jiang 2024, Algorithm 1): one pass scales a row by the column factors, sums it, scales it
// by its row factor and adds it to the next column sums while it is in cache: the plan is read and written
// once. The pass starts with the column step, so the first row step and the last column step stand outside.
#include "kernels/uot/column_sums.hpp"
#include "kernels/uot/problem.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MapUot {
 public:
  explicit MapUot(const Problem<Real>& problem)
      : p_(problem),
        plan_(private_copy(problem)),
        u_(p_.M, 1),
        v_(p_.N, 1),
        factors_(p_.N, 1),
        sums_(problem) {}

  /// The first row step: a pass whose column factors are 1.
  void begin() { pass(); }

  void iterate() {
    column_step();
    pass();
  }

  void finish(Result<Real>& out) {
    column_step();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i)
      for (std::size_t j = 0; j < p_.N; ++j) out.plan[i * p_.N + j] = plan_[i * p_.N + j] * factors_[j];
  }

 private:
  void column_step() {
    sums_.reduce([&](std::size_t j, Real sum) { factors_[j] = rescaling(v_[j], p_.b[j], sum, p_); });
  }

  void pass() {
    const Real* const factors = factors_.data();
#pragma omp parallel
    {
      Real* const sums = sums_.mine();
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < p_.M; ++i) {
        Real* const row = plan_.data() + i * p_.N;
        Real sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::size_t j = 0; j < p_.N; ++j) sum += row[j] *= factors[j];
        const Real factor = rescaling(u_[i], p_.a[i], sum, p_);
#pragma omp simd
        for (std::size_t j = 0; j < p_.N; ++j) sums[j] += row[j] *= factor;
      }
    }
  }

  const Problem<Real>& p_;
  Buffer<Real> plan_;
  std::vector<Real> u_, v_, factors_;
  ColumnSums<Real> sums_;
};

/// RW: two elements moved per cell; two products and two additions.
Work work(const Point& at) {
  return {
      .flops = 4 * cells(at), .bytes_read = width(at) * cells(at), .bytes_written = width(at) * cells(at)};
}

const Variant<MapUot<float>, MapUot<double>> variant{{
    .name = "uot/map_uot",
    .summary = "MAP-UOT, Algorithm 1: both steps fused, one pass in place (2 MN elements moved)",
    .work = work,
    .outside = 1,
}};

}  // namespace
}  // namespace uotbench::uot
