// MAP-UOT as map_uot.hpp tells it, vectorised, its rows split over OpenMP threads.
#include "kernels/uot/map_uot.hpp"

#include "kernels/uot/column_sums.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MapUot {
 public:
  explicit MapUot(const Problem<Real>& problem) : p_(problem), plan_(problem), sums_(problem) {}

  void begin() { pass(); }

  void iterate() {
    column_step();
    pass();
  }

  void finish(Result<Real>& out) {
    column_step();
    plan_.write(out);
  }

 private:
  void column_step() {
    sums_.reduce([&](std::size_t j, Real sum) { plan_.set_column_factor(j, sum); });
  }

  void pass() {
#pragma omp parallel
    {
      Real* const sums = sums_.mine();
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < p_.M; ++i) plan_.rescale_row(i, sums);
    }
  }

  const Problem<Real>& p_;
  MapUotPlan<Real> plan_;
  ColumnSums<Real> sums_;
};

const Variant<MapUot<float>, MapUot<double>> variant{{
    .name = "uot/map_uot",
    .summary = "MAP-UOT, Algorithm 1: both steps fused, one pass in place (2 MN elements moved)",
    .work = map_uot_work,
    .outside = 1,
}};

}  // namespace
}  // namespace uotbench::uot
