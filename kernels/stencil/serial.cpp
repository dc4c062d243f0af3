// A number after the other: the formulas as they are printed.
#include "kernels/stencil/timed/stepping.hpp"

namespace uotbench::stencil {
namespace {

template <class Real>
struct Serial {
  explicit Serial(const Problem<Real>&) {}

  template <class Stage>
  void operator()(const Stage& stage) const {
    const auto formula = stage.formula;
    const View<Real> view = stage.view;
    for (std::size_t line = 0; line < stage.lines.count; ++line) {
      const auto end = static_cast<std::ptrdiff_t>(stage.lines.end(line));
      for (auto k = static_cast<std::ptrdiff_t>(stage.lines.begin(line)); k < end; ++k) {
        formula(Cells<Real, Real>{view, k});
        asm volatile("" : "+r"(k));  // or the compiler would make vectors of it
      }
      stage.walls.finish(line);
    }
  }
};

const Variant<Stepping<float, Serial<float>>, Stepping<double, Serial<double>>> serial{{
    .name = "stencil/serial",
    .summary = "one sweep a stage, one thread, a number after the other",
    .work = one_sweep_work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::stencil
