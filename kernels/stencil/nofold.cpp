// XPXPYN with every sum hidden from the compiler, which then cannot fold it under any flag. Four vectors at a
// time: the sums of one wait for each other.
#include <cstring>
#include <type_traits>

#include "kernels/common/hide.hpp"
#include "kernels/stencil/timed/stepping.hpp"

namespace uotbench::stencil {
namespace {

template <class Real>
struct NoFold {
  explicit NoFold(const Problem<Real>&) {}

  /// `count` values of a type that may be a vector.
  template <class Value, std::size_t count>
  UOTBENCH_CELLWISE static void add(const Real* x_from, Real* y_from, std::int64_t terms) {
    Value x[count], y[count];
    std::memcpy(x, x_from, sizeof x);
    std::memcpy(y, y_from, sizeof y);
    for (std::int64_t term = 0; term < terms; ++term)
      for (std::size_t c = 0; c < count; ++c) {
        y[c] = term % 2 == 0 ? y[c] + x[c] : y[c] - x[c];
        hide(y[c]);
      }
    std::memcpy(y_from, y, sizeof y);
  }

  template <class Stage>
  void operator()(const Stage& stage) const {
    if constexpr (std::is_same_v<decltype(stage.formula), XpxpynFormula<Real>>) {
      typedef Real Vector __attribute__((vector_size(sizeof(Pack<Real>)), may_alias));
      constexpr std::size_t size = sizeof(Vector) / sizeof(Real), four = 4;
      const Lines& lines = stage.lines;
      const Real* const x = stage.view.in[0];
      Real* const y = stage.view.out[0];
#pragma omp parallel for schedule(static) if (lines.cells() >= worth_a_team)
      for (std::size_t line = 0; line < lines.count; ++line) {
        std::size_t k = lines.begin(line);
        const std::size_t end = lines.end(line);
        for (; k + four * size <= end; k += four * size) add<Vector, four>(x + k, y + k, stage.formula.terms);
        for (; k < end; ++k) add<Real, 1>(x + k, y + k, stage.formula.terms);
      }
    }
  }
};

const Variant<Stepping<float, NoFold<float>>, Stepping<double, NoFold<double>>> nofold{
    {
        .name = "stencil/nofold",
        .summary = "XPXPYN with every sum hidden from the compiler, four vectors at a time",
        .work = one_sweep_work,
    },
    {"xpxpyn"}};

}  // namespace
}  // namespace uotbench::stencil
