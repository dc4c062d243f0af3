// MAP-UOT's Algorithm 1 as it is printed, element by element on one thread; what print left out, the
// resetting of Sum_row, Factor_col and NextSum_col, is there. What vectors and threads add is uot/map_uot's
// difference to it.
#include "kernels/uot/parts/as_written.hpp"
#include "kernels/uot/parts/column_sums.hpp"
#include "kernels/uot/parts/map_uot.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MapUotSerial {
 public:
  static constexpr Declares declares{.begins = true};

  explicit MapUotSerial(const Problem<Real>& problem) : p_(problem), plan_(problem), next_sums_(problem) {}

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
    next_sums_.reduce([&](std::size_t j, Real sum) { plan_.set_column_factor(j, sum); });
  }

  void pass() {
    Real* const next_sums = next_sums_.mine();
    const Real* const factors = plan_.column_factors();
    for (std::size_t i = 0; i < p_.M; ++i) {
      Real* const row = plan_.row(i);
      Real sum = 0;
      for (std::size_t j = 0; j < p_.N; ++j) {
        sum += row[j] *= factors[j];
        as_written();
      }
      const Real factor = plan_.row_factor(i, sum);
      for (std::size_t j = 0; j < p_.N; ++j) {
        next_sums[j] += row[j] *= factor;
        as_written();
      }
    }
  }

  const Problem<Real>& p_;
  MapUotPlan<Real> plan_;
  ColumnSums<Real> next_sums_;
};

const Variant<MapUotSerial<float>, MapUotSerial<double>> variant{{
    .name = "uot/map_uot_serial",
    .summary = "MAP-UOT, Algorithm 1 as printed: scalar, one thread (2 MN elements moved)",
    .work = map_uot_work,
    .serial = true,
    .outside = 1,
}};

}  // namespace
}  // namespace uotbench::uot
