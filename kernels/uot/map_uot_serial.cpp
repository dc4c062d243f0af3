// MAP-UOT's Algorithm 1 as it is printed, element by element on one thread; what print left out, the
// resetting of Sum_row, Factor_col and NextSum_col, is there. What vectors and threads add is uot/map_uot's
// difference to it.
#include "kernels/uot/timed/as_written.hpp"
#include "kernels/uot/timed/map_uot.hpp"

namespace uotbench::uot {
namespace {

struct AsPrinted {
  template <class Real>
  static void row(MapUotPlan<Real>& plan, std::size_t i, std::size_t N, Real* next_sums) {
    Real* const row = plan.row(i);
    const Real* const factors = plan.column_factors();
    Real sum = 0;
    for (std::size_t j = 0; j < N; ++j) {
      sum += row[j] *= factors[j];
      as_written();
    }
    const Real factor = plan.row_factor(i, sum);
    for (std::size_t j = 0; j < N; ++j) {
      next_sums[j] += row[j] *= factor;
      as_written();
    }
  }
};

template <class Real>
using MapUotSerial = OneThreadMapUot<Real, AsPrinted>;

const Variant<MapUotSerial<float>, MapUotSerial<double>> variant{{
    .name = "uot/map_uot_serial",
    .summary = "MAP-UOT, Algorithm 1 as printed: scalar, one thread (2 MN elements moved)",
    .work = map_uot_work,
    .serial = true,
    .outside = 1,
}};

}  // namespace
}  // namespace uotbench::uot
