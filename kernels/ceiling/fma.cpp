// Computes and moves nothing: a = a m + k on 12 independent numbers or vectors a thread, in registers. A
// multiply-add takes 4 or 5 cycles and a core begins up to two in each: 10 keep it busy, and 16 registers
// hold 12, m and k. m = k = 1, which the compiler is not told, so that a counts its steps; y shows those of N
// lanes.
#include <type_traits>

#include "kernels/ceiling/streams.hpp"

namespace uotbench::ceiling {
namespace {

constexpr std::size_t chains = 12;

/// The compiler must not know the number, nor join it with others to a vector.
template <class Real>
void hide(Real& number) {
#if defined(__x86_64__)
  asm volatile("" : "+x"(number));
#elif defined(__aarch64__)
  asm volatile("" : "+w"(number));
#else
  asm volatile("" : "+m"(number));
#endif
}

template <class Real>
class Fma {
  using Pack = simd::native_simd<Real>;

 public:
  explicit Fma(const Problem<Real>& problem)
      : vector_(problem.at.text("form") == "vector"),
        lanes_(chains * (vector_ ? Pack::size() : 1)),
        steps_(lanes_ * static_cast<std::size_t>(problem.team.threads())) {}

  void iterate() {
#pragma omp parallel
    vector_ ? compute<Pack>() : compute<Real>();
  }

  void finish(Result<Real>& out) {
    for (std::size_t i = 0; i < out.y.size(); ++i) out.y[i] = steps_[i % steps_.size()];
  }

 private:
  template <class Value>
  void compute() {
    Real m = 1, k = 1;
    hide(m), hide(k);
    const Value factor = m, term = k;
    Value a[chains] = {};
    for (std::int64_t step = 0; step < fma_steps; ++step)
      for (auto& each : a) {
        each = each * factor + term;
        if constexpr (std::is_same_v<Value, Real>) hide(each);
      }
    Real* const mine = steps_.data() + lanes_ * static_cast<std::size_t>(omp_get_thread_num());
    for (std::size_t i = 0; i < lanes_; ++i) {
      if constexpr (std::is_same_v<Value, Real>)
        mine[i] += a[i];
      else
        mine[i] += a[i / Pack::size()][i % Pack::size()];
    }
  }

  bool vector_;
  std::size_t lanes_;        ///< of one thread
  std::vector<Real> steps_;  ///< of every thread's lanes
};

Work work(const Point& at) {
  const bool vector = at.text("form") == "vector";
  const std::size_t pack =
      at.text("dtype") == "f64" ? simd::native_simd<double>::size() : simd::native_simd<float>::size();
  const double lanes = chains * (vector ? pack : 1) * at.number("threads");
  return {.flops = 2 * lanes * static_cast<double>(fma_steps), .working_set = 0};
}

const Variant<Fma<float>, Fma<double>> variant{{
    .name = "ceiling/fma",
    .summary = "multiplies and adds in registers: the peak flop rate",
    .axes = {{.name = "form",
              .kind = Axis::Kind::text,
              .standard = "vector",
              .values = {"vector", "scalar"},
              .about = "as many numbers at a time as a register holds, or one"}},
    .work = work,
}};

}  // namespace
}  // namespace uotbench::ceiling
