// A vector at a time, line after line: what one thread can do in one sweep.
#include "kernels/stencil/parts/stepping.hpp"

namespace uotbench::stencil {
namespace {

template <class Real>
struct Simd {
  explicit Simd(const Problem<Real>&) {}

  template <class Stage>
  void operator()(const Stage& stage) const {
    for (std::size_t line = 0; line < stage.lines.count; ++line) compute_line(stage, line);
  }
};

const Variant<Stepping<float, Simd<float>>, Stepping<double, Simd<double>>> simd_variant{{
    .name = "stencil/simd",
    .summary = "one sweep a stage, a vector at a time",
    .work = one_sweep_work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::stencil
