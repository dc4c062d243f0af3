// Max, then sum: a pass over a row's terms for their maximum, a second one for their sum. It has one
// exponential a pair and makes every term twice.
#include "kernels/sinkhorn_log/parts/line_steps.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
struct MaxThenSum {
  static constexpr bool base2 = false;

  static MaxAndSum<Real> of(const Terms<Real>& terms) {
    using Pack = PackOf<Real>;
    Pack mosts[4] = {lowest<Real>, lowest<Real>, lowest<Real>, lowest<Real>}, sums[4] = {};
    terms.template each<4>([&](const auto& t) {
      for (std::size_t k = 0; k < std::size(t); ++k) mosts[k] = simd::max(mosts[k], t[k]);
    });
    const Real most = simd::hmax(simd::max(simd::max(mosts[0], mosts[1]), simd::max(mosts[2], mosts[3])));
    terms.template each<4>([&](const auto& t) {
      for (std::size_t k = 0; k < std::size(t); ++k)
        sums[k] += exp2_or_zero<Pack>((t[k] - most) * std::numbers::log2e_v<Real>);
    });
    return {most, simd::reduce(sums[0] + sums[1] + (sums[2] + sums[3]))};
  }
};

/// A term is a product and a sum, made twice; then the maximum, the difference, its log2 and the sum.
Work work(const Point& at) { return exp_work(at, 1, 8, 1); }

const Variant<LineSteps<float, MaxThenSum<float>>, LineSteps<double, MaxThenSum<double>>> variant{
    {
        .name = "sinkhorn_log/max_then_sum",
        .summary = "a row's maximum, then its sum: two passes, one exponential a pair",
        .work = work,
    },
    line_steps_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
