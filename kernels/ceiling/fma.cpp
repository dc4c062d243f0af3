// Computes and moves nothing: a = a m + k on 12 independent numbers or vectors a thread, in registers. A
// multiply-add takes 4 or 5 cycles and a core begins up to two in each: 10 keep it busy, and 16 registers
// hold 12, m and k. m = k = 1, which the compiler is not told, so that a counts its steps; y shows those of N
// lanes.
#include "kernels/ceiling/timed/streams.hpp"
#include "kernels/common/lanes.hpp"

namespace uotbench::ceiling {
namespace {

constexpr std::size_t chains = 12;

template <class Real>
class Fma {
 public:
  explicit Fma(const Problem<Real>& p)
      : vector_(p.at.text("form") == "vector"), steps_(chains * lanes_at(p.at)) {}

  void iterate() {
#pragma omp parallel
    vector_ ? compute<simd::native_simd<Real>>() : compute<Real>();
  }

  void finish(Result<Real>& out) {
    for (std::size_t i = 0; i < out.y.size(); ++i) out.y[i] = steps_[i % steps_.size()];
  }

 private:
  template <class Value>
  void compute() {
    const Value m = hidden(Real(1)), k = hidden(Real(1));
    Value a[chains] = {};
    for (std::size_t step = 0; step < fma_steps; ++step)
      for (auto& each : a) each = hidden(Value(each * m + k));
    constexpr std::size_t mine = chains * lanes<Value>();
    Real* const steps = steps_.data() + mine * static_cast<std::size_t>(omp_get_thread_num());
    for (std::size_t i = 0; i < mine; ++i) steps[i] += lane(a[i / lanes<Value>()], i % lanes<Value>());
  }

  bool vector_;
  std::vector<Real> steps_;  ///< of every thread's lanes
};

Work work(const Point& at) {
  return {.flops = 2. * static_cast<double>(chains * lanes_at(at) * fma_steps), .working_set = 0};
}

const Variant<Fma<float>, Fma<double>> variant{{
    .name = "ceiling/fma",
    .summary = "multiplies and adds in registers: the peak flop rate",
    .axes = {vector_or_scalar()},
    .work = work,
    .measures = Measures{"flops"},
}};

}  // namespace
}  // namespace uotbench::ceiling
