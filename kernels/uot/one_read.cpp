// One read: K is never written. While a few rows of K are in cache, their scalings come from K v and go
// straight into the next K' u, so an iteration reads the matrix once: half of what two GEMVs or an in-place
// pass move. `rows` rows share each load of v and of the column sums.
#include <experimental/simd>

#include "kernels/uot/column_sums.hpp"
#include "kernels/uot/problem.hpp"
#include "kernels/uot/row_groups.hpp"
#include "kernels/uot/scalings.hpp"

namespace uotbench::uot {
namespace {

namespace simd = std::experimental;

template <class Real>
class OneRead {
  using Pack = simd::native_simd<Real>;

 public:
  explicit OneRead(const Problem<Real>& problem)
      : p_(problem),
        K_(private_copy(problem)),
        scalings_(problem),
        sums_(problem),
        rows_(p_.at.integer("rows")) {}

  void restart() { scalings_.restart(); }

  void iterate() {
    scalings_.remember();
#pragma omp parallel
    {
      Real* const sums = sums_.mine();
      const auto [first, last] = share(p_.M, omp_get_thread_num(), omp_get_num_threads());
      in_groups(rows_, first, last, [&](auto R, std::size_t i) { rescale<R()>(i, sums); });
    }
    auto& v = scalings_.v;
    sums_.reduce([&](std::size_t j, Real sum) { v[j] = next_scaling(v[j], p_.b[j], sum, p_); });
  }

  Change<Real> change() const { return scalings_.change(); }

  void finish(Result<Real>& out) { write_result<Real>(out, p_, scalings_.u, scalings_.v); }

 private:
  /// Row step of rows i..i+R-1, which it adds to the column sums.
  template <int R>
  void rescale(std::size_t i, Real* sums) {
    const std::size_t N = p_.N, whole = N - N % Pack::size();
    const Real* const K = K_.data() + i * N;
    const Real* const v = scalings_.v.data();
    Pack dots[R] = {};
    for (std::size_t j = 0; j < whole; j += Pack::size()) {
      const Pack scaling(v + j, simd::element_aligned);
      for (int r = 0; r < R; ++r) dots[r] += Pack(K + r * N + j, simd::element_aligned) * scaling;
    }
    Real u[R];
    for (int r = 0; r < R; ++r) {
      Real dot = simd::reduce(dots[r]);
      for (std::size_t j = whole; j < N; ++j) dot += K[r * N + j] * v[j];
      u[r] = scalings_.u[i + r] = next_scaling(scalings_.u[i + r], p_.a[i + r], dot, p_);
    }
    for (std::size_t j = 0; j < whole; j += Pack::size()) {
      Pack sum(sums + j, simd::element_aligned);
      for (int r = 0; r < R; ++r) sum += Pack(K + r * N + j, simd::element_aligned) * u[r];
      sum.copy_to(sums + j, simd::element_aligned);
    }
    for (std::size_t j = whole; j < N; ++j)
      for (int r = 0; r < R; ++r) sums[j] += K[r * N + j] * u[r];
  }

  const Problem<Real>& p_;
  Buffer<Real> K_;
  Scalings<Real> scalings_;
  ColumnSums<Real> sums_;
  std::int64_t rows_;
};

/// R: one element per cell; two products and two additions.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

const Variant<OneRead<float>, OneRead<double>> variant{{
    .name = "uot/one_read",
    .summary = "scalings only, both steps in one read of K (1 MN elements moved)",
    .axes = {rows_at_once("rows of K in work at a time")},
    .work = work,
}};

}  // namespace
}  // namespace uotbench::uot
