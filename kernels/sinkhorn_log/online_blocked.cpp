// Online by blocks: the running maximum is held to the largest of 16 terms at once, so that comparing and
// rescaling cost a sixteenth, and 16 exponentials wait less for each other.
#include "kernels/sinkhorn_log/parts/online_steps.hpp"

namespace uotbench::sinkhorn_log {
namespace {

/// A term is a product and a sum; then the difference, the maximum and the sum. New maxima are not counted:
/// how many there are is the data's own.
Work work(const Point& at) { return exp_work(at, 1, 5, 2); }

const Variant<OnlineSteps<float, 16>, OnlineSteps<double, 16>> variant{
    {
        .name = "sinkhorn_log/online_blocked",
        .summary = "online with the running maximum compared once a block of 16 terms",
        .work = work,
    },
    online_steps_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
