// A mistake that the trace has to find: rows are dealt out to the threads one by one, so that the scalings
// that neighbours write at the same time stand in one cache line.
#include "kernels/uot/problem.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class FalseSharing {
 public:
  explicit FalseSharing(const Problem<Real>& problem)
      : p_(problem), K_(private_copy(problem)), u_(p_.M, 1), v_(p_.N, 1) {}

  void iterate() {
#pragma omp parallel for schedule(static, 1)
    for (std::size_t i = 0; i < p_.M; ++i) {
      Real sum = 0;
      for (std::size_t j = 0; j < p_.N; ++j) sum += K_[i * p_.N + j] * v_[j];
      u_[i] = factor(p_.a[i], sum, p_.fi);  // the mistake
    }
    for (std::size_t j = 0; j < p_.N; ++j) {
      Real sum = 0;
      for (std::size_t i = 0; i < p_.M; ++i) sum += K_[i * p_.N + j] * u_[i];
      v_[j] = next_scaling(v_[j], p_.b[j], sum, p_);
    }
  }

  void finish(Result<Real>& out) { write_result<Real>(out, p_, u_, v_); }

 private:
  const Problem<Real>& p_;
  Buffer<Real> K_;
  std::vector<Real> u_, v_;
};

const Variant<FalseSharing<float>, FalseSharing<double>> variant{{
    .name = "uot/false_sharing",
    .summary = "rows dealt out one by one",
    .work = [](const Point&) { return Work{}; },
}};

}  // namespace
}  // namespace uotbench::uot
