// A matrix product with a minimum as its end.
#include "kernels/simplex/timed/price_gemm.hpp"

#include "kernels/simplex/timed/pricing_kernel.hpp"

namespace uotbench::simplex {
namespace {

class PriceGemm : public PricingKernel {
 public:
  explicit PriceGemm(const Problem<double>& p)
      : PricingKernel(p, std::make_unique<GemmPricing>(clouds_of(p))) {}
};

const Variant<void, PriceGemm> price_gemm_variant{{
    .name = "simplex/price_gemm",
    .summary = "a matrix product of which only each row's minimum is kept",
    .matrices = 0,
}};

}  // namespace
}  // namespace uotbench::simplex
