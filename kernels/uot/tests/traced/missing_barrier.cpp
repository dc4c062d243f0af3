// A mistake that the trace has to find: no thread waits for the others' row scalings before it uses all of
// them.
#include "kernels/uot/problem.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MissingBarrier {
 public:
  explicit MissingBarrier(const Problem<Real>& problem)
      : p_(problem), K_(private_copy(problem)), u_(p_.M, 1), v_(p_.N, 1) {}

  void iterate() {
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait  // the mistake
      for (std::size_t i = 0; i < p_.M; ++i) {
        Real sum = 0;
        for (std::size_t j = 0; j < p_.N; ++j) sum += K_[i * p_.N + j] * v_[j];
        u_[i] = next_scaling(u_[i], p_.a[i], sum, p_);  // written
      }
#pragma omp for schedule(static)
      for (std::size_t j = 0; j < p_.N; ++j) {
        Real sum = 0;
        for (std::size_t i = 0; i < p_.M; ++i) sum += K_[i * p_.N + j] * u_[i];  // read
        next_[j] = sum;
      }
#pragma omp for schedule(static)
      for (std::size_t j = 0; j < p_.N; ++j) v_[j] = next_scaling(v_[j], p_.b[j], next_[j], p_);
    }
  }

  void finish(Result<Real>& out) { write_result<Real>(out, p_, u_, v_); }

 private:
  const Problem<Real>& p_;
  Buffer<Real> K_;
  std::vector<Real> u_, v_, next_ = std::vector<Real>(p_.N);
};

const Variant<MissingBarrier<float>, MissingBarrier<double>> variant{{
    .name = "uot/missing_barrier",
    .summary = "uses row scalings before all are written",
    .work = [](const Point&) { return Work{}; },
}};

}  // namespace
}  // namespace uotbench::uot
