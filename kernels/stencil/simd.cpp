// The formula for a vector of cells at a time, line after line: what one thread can do in one sweep.
#include "kernels/stencil/parts/stepping.hpp"

namespace uotbench::stencil {
namespace {

template <class Real>
struct Simd {
  explicit Simd(const Problem<Real>&) {}

  template <class Stage>
  void operator()(const Stage& stage) const {
    const Lines& lines = stage.lines;
    for (std::size_t line = 0; line < lines.count; ++line) {
      each_vector(stage, lines.begin(line), lines.end(line), stage.formula);
      stage.walls.finish(line);
    }
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
