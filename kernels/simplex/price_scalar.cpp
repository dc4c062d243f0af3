// A loop over sources, one over targets: what the others are compared with.
#include "kernels/simplex/timed/price_loops.hpp"
#include "kernels/simplex/timed/pricing_kernel.hpp"

namespace uotbench::simplex {
namespace {

class PriceScalar : public PricingKernel {
 public:
  explicit PriceScalar(const Problem<double>& p)
      : PricingKernel(p, std::make_unique<LoopPricing>(clouds_of(p), Pretests::from(p.at), false)) {}
};

const Variant<void, PriceScalar> price_scalar_variant{{
    .name = "simplex/price_scalar",
    .summary = "two loops, with the pretests or without",
    .axes = {Pretests::axis()},
    .serial = true,
    .matrices = 0,
}};

}  // namespace
}  // namespace uotbench::simplex
