// Two plain passes over K, no BLAS: K v for the row step, K' u for the column step.
#include <uotbench/uot.hpp>

namespace uotbench::uot {
namespace {

template <class Real>
class TwoPasses {
 public:
  explicit TwoPasses(const Problem<Real>& problem)
      : p_(problem), K_(private_copy(problem)), u_(p_.M, 1), v_(p_.N, 1), sums_(problem) {}

  void iterate() {  // what is timed
#pragma omp parallel
    {
      Real* const sums = sums_.mine();  // this thread's own column sums, set to zero: no data race
      const Real* const v = v_.data();  // local, so that the loop does not reload v_'s pointer
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < p_.M; ++i) {
        const Real* const row = K_.data() + i * p_.N;
        Real sum = 0;
#pragma omp simd reduction(+ : sum)  // permits the compiler to add in another order
        for (std::size_t j = 0; j < p_.N; ++j) sum += row[j] * v[j];
        u_[i] = next_scaling(u_[i], p_.a[i], sum, p_);
      }
#pragma omp for schedule(static)  // the second pass: reads K again
      for (std::size_t i = 0; i < p_.M; ++i) {
        const Real* const row = K_.data() + i * p_.N;
        const Real u = u_[i];
        for (std::size_t j = 0; j < p_.N; ++j) sums[j] += u * row[j];
      }
    }
    // A second parallel region, timed as well.
    sums_.reduce([&](std::size_t j, Real sum) { v_[j] = next_scaling(v_[j], p_.b[j], sum, p_); });
  }

  void finish(Result<Real>& out) { write_result<Real>(out, p_, u_, v_); }

 private:
  const Problem<Real>& p_;
  Buffer<Real> K_;
  std::vector<Real> u_, v_;
  ColumnSums<Real> sums_;
};

Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = 2 * width(at) * cells(at)}; }

const Variant<TwoPasses<float>, TwoPasses<double>> variant{{
    .name = "uot/two_passes",
    .summary = "two plain passes over K (2 MN elements moved)",
    .work = work,
}};

}  // namespace
}  // namespace uotbench::uot
