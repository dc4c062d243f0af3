// Base 2: log2(e) and 1/reg are folded into a copy of the costs for each half step, and log2(e) into the
// potentials, so that a term is one sum and goes to 2^t as it is. No pass for the maximum either: the
// logsumexps of the iteration before stand for it.
#include "kernels/sinkhorn_log/timed/packed_costs.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
using Base2 = ShiftedSteps<Real, PackedCosts<Real>>;

/// A pair's term and its sum.
Work work(const Point& at) { return exp_work(at, 1, 2, 2); }

const Variant<Base2<float>, Base2<double>> variant{
    {
        .name = "sinkhorn_log/base2",
        .summary = "log2(e)/reg folded into a copy of the costs, the last sums in place of the maximum",
        .work = work,
    },
    packed_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
