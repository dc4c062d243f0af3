// The loops the wrong way round: neighbours in time are a row apart in memory (the publication's "uncached").
#include <algorithm>

#include "kernels/stencil/timed/stepping.hpp"

namespace uotbench::stencil {
namespace {

template <class Real>
struct Swapped {
  explicit Swapped(const Problem<Real>&) {}

  template <class Stage>
  void operator()(const Stage& stage) const {
    const Lines& lines = stage.lines;
    const auto formula = stage.formula;
    const View<Real> view = stage.view;
    const std::size_t length = std::min(lines.length, lines.last - lines.first);
#pragma omp parallel for schedule(static) if (lines.cells() >= worth_a_team)
    for (std::size_t place = 0; place < length; ++place)
      for (std::size_t line = 0; line < lines.count; ++line) {
        const std::size_t k = lines.begin(line) + place;
        if (k < lines.end(line)) formula(Cells<Real, Real>{view, static_cast<std::ptrdiff_t>(k)});
      }
    for (std::size_t line = 0; line < lines.count; ++line) stage.walls.finish(line);
  }
};

const Variant<Stepping<float, Swapped<float>>, Stepping<double, Swapped<double>>> swapped{{
    .name = "stencil/swapped_loops",
    .summary = "one sweep a stage, columns outside and rows inside: every access is a row further",
    .work = one_sweep_work,
}};

}  // namespace
}  // namespace uotbench::stencil
