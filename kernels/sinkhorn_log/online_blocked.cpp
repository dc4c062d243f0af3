// Online by blocks: 8 sums in step have one running maximum, which is compared with 8 terms at once and taken
// off a field once for them.
#include "kernels/sinkhorn_log/parts/online_steps.hpp"

namespace uotbench::sinkhorn_log {
namespace {

/// A term is a product and a difference; then the maximum and the sum.
Work work(const Point& at) { return exp_work(at, 1, 4, 2); }

const Variant<OnlineSteps<float, Maxima::shared>, OnlineSteps<double, Maxima::shared>> variant{
    {
        .name = "sinkhorn_log/online_blocked",
        .summary = "online with one running maximum for a block of 8 sums",
        .work = work,
    },
    online_steps_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
