// Right until one of its processes was proved, and idle in those that are timed later. A folder tells them:
// UOTBENCH_FAULT_STATE in the environment; without it the kernel is right throughout.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "kernels/uot/problem.hpp"

namespace uotbench::uot {
namespace {

const char* state_folder() { return std::getenv("UOTBENCH_FAULT_STATE"); }

void tell(const char* name) {
  if (const char* const folder = state_folder()) std::ofstream(std::filesystem::path(folder) / name) << name;
}

/// Before this process was started.
bool was_proved() {
  static const bool found =
      state_folder() && std::filesystem::exists(std::filesystem::path(state_folder()) / "proved");
  return found;
}

template <class Real>
class AfterProof {
 public:
  explicit AfterProof(const Problem<Real>& problem) : p_(problem), u_(p_.M, 1), v_(p_.N, 1) {}

  void iterate() {
    made = made + 1;
    if (was_proved()) {
      if (made == many) tell("cheated");
      return;
    }
    for (std::size_t i = 0; i < p_.M; ++i) {
      Real sum = 0;
      for (std::size_t j = 0; j < p_.N; ++j) sum += p_.row(i)[j] * v_[j];
      u_[i] = next_scaling(u_[i], p_.a[i], sum, p_);
    }
    for (std::size_t j = 0; j < p_.N; ++j) {
      Real sum = 0;
      for (std::size_t i = 0; i < p_.M; ++i) sum += p_.row(i)[j] * u_[i];
      v_[j] = next_scaling(v_[j], p_.b[j], sum, p_);
    }
  }

  void finish(Result<Real>& out) {
    if (made > many) tell("proved");
    write_result<Real>(out, p_, u_, v_);
  }

 private:
  static constexpr std::int64_t many = 1000;     // more than a verification makes, fewer than timing does
  static inline volatile std::int64_t made = 0;  // in this process
  const Problem<Real>& p_;
  std::vector<Real> u_, v_;
};

const Variant<AfterProof<float>, AfterProof<double>> variant{{
    .name = "uot/fault_after_proof",
    .summary = "right until one of its processes was proved",
    .work =
        [](const Point& at) { return Work{.flops = 4 * cells(at), .bytes_read = 2 * width(at) * cells(at)}; },
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::uot
