// Blocks of bx rows by by columns, one after another: three rows of a block stay in a cache that is too small
// for three rows of the grid.
#include <algorithm>

#include "kernels/stencil/timed/stepping.hpp"

namespace uotbench::stencil {
namespace {

template <class Real>
class Blocked {
 public:
  explicit Blocked(const Problem<Real>& p) : bx_(p.at.size("bx")), by_(p.at.size("by")) {}

  template <class Stage>
  void operator()(const Stage& stage) const {
    const Lines& lines = stage.lines;
    const std::size_t rows = (lines.count + bx_ - 1) / bx_, columns = (lines.length + by_ - 1) / by_;
#pragma omp parallel for schedule(static) if (lines.cells() >= worth_a_team)
    for (std::size_t block = 0; block < rows * columns; ++block) {
      // Blocks of one column come after each other: they share rows.
      const std::size_t first = block % rows * bx_, from = block / rows * by_;
      for (std::size_t line = first; line < std::min(first + bx_, lines.count); ++line) {
        const std::size_t end = lines.end(line);
        compute(stage, std::min(lines.begin(line) + from, end),
                std::min(lines.begin(line) + from + by_, end));
      }
    }
    for (std::size_t line = 0; line < lines.count; ++line) stage.walls.finish(line);
  }

 private:
  std::size_t bx_, by_;
};

const Variant<Stepping<float, Blocked<float>>, Stepping<double, Blocked<double>>> blocked{{
    .name = "stencil/blocked",
    .summary = "one sweep a stage, in blocks of bx rows by by columns",
    .axes = {{.name = "bx", .standard = 64, .least = 1, .about = "rows of a block"},
             {.name = "by", .standard = 1024, .least = 1, .about = "columns of a block"}},
    .work = one_sweep_work,
}};

}  // namespace
}  // namespace uotbench::stencil
