// MAP-UOT as map_uot.hpp tells it, vectorised, its rows split over OpenMP threads; `rows` rows share each
// load of a column factor and of a column sum. The first look at a row sums it as it will be scaled, and the
// second scales it by both factors, so that a cell is written once and not twice.
#include "kernels/uot/timed/map_uot.hpp"

#include <utility>

#include "kernels/uot/timed/fused_pass.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MapUot {
 public:
  static constexpr KernelTraits declares{.begins = true, .facts = true};

  explicit MapUot(const Problem<Real>& problem) : plan_(problem), pass_(problem) {}

  void begin() { pass(); }

  void iterate() {
    if (!std::exchange(stepped_, false)) column_step();
    pass();
  }

  void finish(Result<Real>& out) {
    if (!std::exchange(stepped_, true)) column_step();
    plan_.write(out);
  }
  Facts facts() const { return pass_.facts(); }

 private:
  void column_step() {
    pass_.columns([&](std::size_t j, Real sum) { plan_.set_column_factor(j, sum); });
  }

  void pass() {
    pass_.rows(plan_.row(0), plan_.column_factors(),
               [&](std::size_t i, Real sum) { return plan_.row_factor(i, sum); });
  }

  MapUotPlan<Real> plan_;
  FusedPass<Real, PlanCells<Real>> pass_;
  bool stepped_ = false;  ///< finish() has made the column step after the last pass
};

const Variant<MapUot<float>, MapUot<double>> variant{{
    .name = "uot/map_uot",
    .summary = "MAP-UOT, Algorithm 1: both steps fused, one pass in place (2 MN elements moved)",
    .axes = {rows_at_once("rows of the plan in work at a time"), prefetch_ahead(), group_of_sums()},
    .work = map_uot_work,
    .outside = 1,
}};

}  // namespace
}  // namespace uotbench::uot
