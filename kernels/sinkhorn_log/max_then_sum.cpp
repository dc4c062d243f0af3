// Max, then sum: a pass over a row's terms for their maximum, a second one for their sum. It has one
// exponential a pair and makes every term twice. All is in base 2, as in base2.
#include "kernels/sinkhorn_log/parts/packed_costs.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
using MaxThenSum = ShiftedSteps<Real, PackedCosts<Real>, true>;

/// A pair's term twice, the maximum and the sum. The second pass finds the costs in the first cache.
Work work(const Point& at) { return exp_work(at, 1, 4, 2); }

const Variant<MaxThenSum<float>, MaxThenSum<double>> variant{
    {
        .name = "sinkhorn_log/max_then_sum",
        .summary = "a row's maximum, then its sum: two passes, one exponential a pair",
        .work = work,
    },
    packed_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
