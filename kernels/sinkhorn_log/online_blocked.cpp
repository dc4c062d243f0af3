// Online by blocks: the running maximum is held to the largest of 16 terms at once, so that comparing and
// rescaling cost a sixteenth, and 16 exponentials wait less for each other.
#include "kernels/sinkhorn_log/parts/online_steps.hpp"

namespace uotbench::sinkhorn_log {
namespace {

/// A term is a product and a sum; then the maximum, the difference's log2 (two) and the sum.
Work work(const Point& at) { return exp_work(at, 1, 6, 2); }

const Variant<OnlineSteps<float, 16>, OnlineSteps<double, 16>> variant{{
    .name = "sinkhorn_log/online_blocked",
    .summary = "online with the running maximum updated once a block of 16 terms",
    .work = work,
}};

}  // namespace
}  // namespace uotbench::sinkhorn_log
