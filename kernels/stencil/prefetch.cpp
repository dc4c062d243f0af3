// As openmp, but lines that will be written are asked for some lines before: a store then finds its line
// there, and does not hold up the loads behind it while the line is fetched.
#include "kernels/stencil/timed/stepping.hpp"

namespace uotbench::stencil {
namespace {

template <class Real>
class Prefetch {
 public:
  explicit Prefetch(const Problem<Real>& p) : ahead_(p.at.size("ahead") * cache_line / sizeof(Real)) {}

  template <class Stage>
  void operator()(const Stage& stage) const {
#pragma omp parallel for schedule(static) if (stage.lines.cells() >= worth_a_team)
    for (std::size_t line = 0; line < stage.lines.count; ++line) {
      const View<Real> view = stage.view;
      const auto formula = stage.formula;
      each_vector(
          stage, stage.lines.begin(line), stage.lines.end(line),
          [&]<class Value>(const Cells<Value, Real>& cells) __attribute__((always_inline)) {
            if constexpr (lanes<Value>() > 1)
              for (Real* const out : view.out)
                if (out)
                  for (std::size_t c = 0; c < lanes<Value>(); c += Pack<Real>::size())
                    __builtin_prefetch(out + cells.k + c + ahead_, 1);
            formula(cells);
          });
      stage.walls.finish(line);
    }
  }

 private:
  std::size_t ahead_;
};

const Variant<Stepping<float, Prefetch<float>>, Stepping<double, Prefetch<double>>> prefetch{{
    .name = "stencil/prefetch",
    .summary = "as openmp, lines to be written asked for before",
    .axes =
        {{.name = "ahead", .standard = 8, .least = 1, .most = 4096, .about = "cache lines before the store"}},
    .work = one_sweep_work,
}};

}  // namespace
}  // namespace uotbench::stencil
