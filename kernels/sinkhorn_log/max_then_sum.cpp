// Max, then sum: a pass over a row's terms for their maximum, a second one for their sum. It has one
// exponential a pair and makes every term twice. All is in base 2, as in base2.
#include "kernels/sinkhorn_log/timed/max_sum_steps.hpp"

namespace uotbench::sinkhorn_log {
namespace {

/// A pair's term twice, the maximum and the sum. The second pass finds the costs in the first cache.
Work work(const Point& at) { return exp_work(at, 1, 4, 2); }

const Variant<MaxSumSteps<float>, MaxSumSteps<double>> variant{
    {
        .name = "sinkhorn_log/max_then_sum",
        .summary = "a row's maximum, then its sum: two passes, one exponential a pair",
        .work = work,
    },
    max_sum_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
