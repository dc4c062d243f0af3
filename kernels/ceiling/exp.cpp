// Exponentials and next to nothing else: e += 2^t on 6 independent numbers or vectors a thread, in registers,
// with the 2^t that kernels use (kernels/common/fast_exp.hpp). t = -1, which the compiler is not told, so
// that y shows half of how many each of N lanes computed.
#include "kernels/ceiling/timed/streams.hpp"
#include "kernels/common/fast_exp.hpp"
#include "kernels/common/lanes.hpp"

namespace uotbench::ceiling {
namespace {

constexpr std::size_t chains = 6;

template <class Real>
class Exp {
  using Pack = simd::native_simd<Real>;

 public:
  explicit Exp(const Problem<Real>& p)
      : sums_(chains * Pack::size() * static_cast<std::size_t>(p.team.threads())) {}

  void iterate() {
#pragma omp parallel
    {
      Pack sum[chains] = {};
      for (std::size_t step = 0; step < exp_steps; ++step)
#pragma GCC unroll 8
        for (std::size_t k = 0; k < chains; ++k) sum[k] += exp2_or_zero(Pack(hidden(Real(-1))));
      constexpr std::size_t mine = chains * Pack::size();
      Real* const sums = sums_.data() + mine * static_cast<std::size_t>(omp_get_thread_num());
      for (std::size_t i = 0; i < mine; ++i) sums[i] += sum[i / Pack::size()][i % Pack::size()];
    }
  }

  void finish(Result<Real>& out) {
    for (std::size_t i = 0; i < out.y.size(); ++i) out.y[i] = sums_[i % sums_.size()];
  }

 private:
  std::vector<Real> sums_;  ///< of every thread's lanes
};

Work work(const Point& at) {
  const std::size_t width =
      at.text("dtype") == "f64" ? simd::native_simd<double>::size() : simd::native_simd<float>::size();
  const auto count = static_cast<double>(at.size("threads") * width * chains * exp_steps);
  return {.flops = count, .working_set = 0, .operations = {{"exp", count}}};
}

const Variant<Exp<float>, Exp<double>> variant{{
    .name = "ceiling/exp",
    .summary = "exponentials in registers: their peak rate",
    .work = work,
    .measures = Measures{"exp"},
}};

}  // namespace
}  // namespace uotbench::ceiling
