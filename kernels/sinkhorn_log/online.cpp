// Online: one pass over the terms with a running maximum and sum, which an extra exponential rescales at each
// new maximum (T. Viehmann's kernel, arXiv 1907.01729; M. Milakov, N. Gimelshein 2018, arXiv 1805.02867). It
// keeps nothing but the potentials.
#include "kernels/sinkhorn_log/parts/online_steps.hpp"

namespace uotbench::sinkhorn_log {
namespace {

/// A term is a product and a sum; then the difference, the maximum and the sum. New maxima are not counted:
/// how many there are is the data's own.
Work work(const Point& at) { return exp_work(at, 1, 5, 2); }

const Variant<OnlineSteps<float, false>, OnlineSteps<double, false>> variant{
    {
        .name = "sinkhorn_log/online",
        .summary =
            "running maximum and sum in one pass: an extra exponential for a maximum that leads by far",
        .work = work,
    },
    online_steps_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
