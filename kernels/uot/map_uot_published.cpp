// MAP-UOT as its authors released it (https://github.com/sunchengyu1111/Efficient_UOT, MAP-UOT_TestMap.cpp):
// Algorithm 1 compiled with vectors, and the second look at a row goes backwards, so that it begins with what
// the first look left in L1. The release starts a thread for each pass; of several threads is
// uot/map_uot_pthreads.
#include "kernels/uot/parts/column_sums.hpp"
#include "kernels/uot/parts/map_uot.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MapUotPublished {
 public:
  static constexpr Declares declares{.begins = true};

  explicit MapUotPublished(const Problem<Real>& problem) : p_(problem), plan_(problem), next_sums_(problem) {}

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
#pragma omp simd reduction(+ : sum)
      for (std::size_t j = 0; j < p_.N; ++j) sum += row[j] *= factors[j];
      const Real factor = plan_.row_factor(i, sum);
#pragma omp simd
      for (std::size_t j = p_.N; j > 0; --j) next_sums[j - 1] += row[j - 1] *= factor;
    }
  }

  const Problem<Real>& p_;
  MapUotPlan<Real> plan_;
  ColumnSums<Real> next_sums_;
};

const Variant<MapUotPublished<float>, MapUotPublished<double>> variant{{
    .name = "uot/map_uot_published",
    .summary =
        "MAP-UOT as released: vectors, second look at a row backwards, one thread (2 MN elements moved)",
    .work = map_uot_work,
    .serial = true,
    .outside = 1,
}};

}  // namespace
}  // namespace uotbench::uot
