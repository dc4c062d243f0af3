// Results go past the caches, so that no line is fetched only to be overwritten.
#include "kernels/stencil/timed/stepping.hpp"
#include "kernels/stencil/timed/stores_past.hpp"

namespace uotbench::stencil {
namespace {

template <class Real>
struct PastCaches {
  explicit PastCaches(const Problem<Real>&) {}

  template <class Stage>
  void operator()(const Stage& stage) const {
#pragma omp parallel if (stage.lines.cells() >= worth_a_team)
    {
#pragma omp for schedule(static)
      for (std::size_t line = 0; line < stage.lines.count; ++line) compute_past(stage, line);
      written_past();
    }
    for (std::size_t line = 0; line < stage.lines.count; ++line) stage.walls.finish(line);
  }
};

Work nontemporal_work(const Point& at) { return sweep_work(at, Stores::nontemporal); }

const Variant<Stepping<float, PastCaches<float>>, Stepping<double, PastCaches<double>>> nontemporal{{
    .name = "stencil/nontemporal",
    .summary = "one sweep a stage, lines shared by threads, stores past the caches",
    .work = nontemporal_work,
    .refuse = without_writes_past,
    .foreign_code = [](const Point&) -> std::string { return "stores that go past the caches"; },
}};

}  // namespace
}  // namespace uotbench::stencil
