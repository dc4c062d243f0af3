// Max, then sum: a pass over a row's terms for their maximum, a second one for their sum. It has one
// exponential a pair and makes every term twice.
#include "kernels/sinkhorn_log/parts/line_steps.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
struct MaxThenSum {
  static constexpr Real unit = 1;

  static MaxAndSum<Real> of(const Terms<Real>& terms) {
    const Real most = largest_of(terms);
    return {most, sum_of(terms, most, to_base2<Real>)};
  }
};

/// A term is a product and a sum, made twice; then the maximum, the difference's log2 (two) and the sum.
Work work(const Point& at) { return exp_work(at, 1, 8, 2); }

const Variant<LineSteps<float, MaxThenSum<float>>, LineSteps<double, MaxThenSum<double>>> variant{
    {
        .name = "sinkhorn_log/max_then_sum",
        .summary = "a row's maximum, then its sum: two passes, one exponential a pair",
        .work = work,
    },
    line_steps_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
