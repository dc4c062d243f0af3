// Sources in registers meet blocks of targets.
#include "kernels/simplex/parts/price_lanes.hpp"
#include "kernels/simplex/parts/pricing_kernel.hpp"

namespace uotbench::simplex {
namespace {

class PriceSimd : public PricingKernel {
 public:
  explicit PriceSimd(const Problem<double>& p) : PricingKernel(p, by_k(p)) {}

 private:
  static std::unique_ptr<Pricing> by_k(const Problem<double>& p) {
    if (p.k == 2) return std::make_unique<LanePricing<2>>(clouds_of(p));
    return std::make_unique<LanePricing<3>>(clouds_of(p));
  }
};

const Variant<void, PriceSimd> price_simd_variant{
    {
        .name = "simplex/price_simd",
        .summary = "sources in registers meet blocks of targets",
        .matrices = 0,
    },
    {.least_k = 2, .most_k = 3}};

}  // namespace
}  // namespace uotbench::simplex
