// Lines shared by the threads, a vector at a time (the publication's optimal form on a CPU).
#include "kernels/stencil/timed/stepping.hpp"

namespace uotbench::stencil {
namespace {

template <class Real>
struct OpenMp {
  explicit OpenMp(const Problem<Real>&) {}

  template <class Stage>
  void operator()(const Stage& stage) const {
#pragma omp parallel for schedule(static) if (stage.lines.cells() >= worth_a_team)
    for (std::size_t line = 0; line < stage.lines.count; ++line) compute_line(stage, line);
  }
};

const Variant<Stepping<float, OpenMp<float>>, Stepping<double, OpenMp<double>>> openmp{{
    .name = "stencil/openmp",
    .summary = "one sweep a stage, lines shared by OpenMP threads, a vector at a time",
    .work = one_sweep_work,
}};

}  // namespace
}  // namespace uotbench::stencil
