// Base 2: max_then_sum with log2 e folded into what the costs are multiplied by and into the potentials, so
// that 2^t, of which exp is made, takes its terms as they are.
#include "kernels/sinkhorn_log/parts/line_steps.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
struct Base2 {
  static constexpr Real unit = to_base2<Real>;

  static MaxAndSum<Real> of(const Terms<Real>& terms) {
    const Real most = largest_of(terms);
    return {most, sum_of(terms, most, Real(1))};
  }
};

/// A term is a product and a sum, made twice; then the maximum, the difference and the sum.
Work work(const Point& at) { return exp_work(at, 1, 7, 2); }

const Variant<LineSteps<float, Base2<float>>, LineSteps<double, Base2<double>>> variant{
    {
        .name = "sinkhorn_log/base2",
        .summary = "max_then_sum with logarithms of base 2",
        .work = work,
    },
    line_steps_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
