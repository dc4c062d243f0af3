// price_scalar's loops, sources shared out to threads.
#include "kernels/simplex/timed/price_loops.hpp"
#include "kernels/simplex/timed/pricing_kernel.hpp"

namespace uotbench::simplex {
namespace {

class PriceOpenmp : public PricingKernel {
 public:
  explicit PriceOpenmp(const Problem<double>& p)
      : PricingKernel(p, std::make_unique<LoopPricing>(clouds_of(p), Pretests::from(p.at), true)) {}
};

const Variant<void, PriceOpenmp> price_openmp_variant{{
    .name = "simplex/price_openmp",
    .summary = "price_scalar, sources shared out to OpenMP threads",
    .axes = {Pretests::axis()},
    .matrices = 0,
}};

}  // namespace
}  // namespace uotbench::simplex
