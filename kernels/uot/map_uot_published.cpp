// MAP-UOT as its authors released it (https://github.com/sunchengyu1111/Efficient_UOT, MAP-UOT_TestMap.cpp):
// Algorithm 1 compiled with vectors. The second look at a row goes backwards, so that it begins with what the
// first one left in L1. The release starts its threads anew for each pass; uot/map_uot_pthreads does that.
#include "kernels/uot/timed/map_uot.hpp"

namespace uotbench::uot {
namespace {

struct SecondLookBackwards {
  template <class Real>
  static void row(MapUotPlan<Real>& plan, std::size_t i, std::size_t N, Real* next_sums) {
    Real* const row = plan.row(i);
    const Real* const factors = plan.column_factors();
    Real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t j = 0; j < N; ++j) sum += row[j] *= factors[j];
    const Real factor = plan.row_factor(i, sum);
#pragma omp simd
    for (std::size_t j = N; j > 0; --j) next_sums[j - 1] += row[j - 1] *= factor;
  }
};

template <class Real>
using MapUotPublished = OneThreadMapUot<Real, SecondLookBackwards>;

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
