// Sources in registers meet blocks of targets that are in the first cache: k products and additions and a
// minimum a pair, in the lanes of vectors. In a lane only the least value of a block is kept; which target
// has it is looked up where it is less than what the source has found so far. For a tile of sources i:
//
//   for each block of targets
//     least_i = min over its j of n_j - 2 <x_i, y_j>, a lane of a vector for every width-th j
//     if a lane of least_i < best_i: look the target up
//   delta_i = best_i + |x_i|^2 - u_i
#include "kernels/simplex/timed/price_lanes.hpp"
#include "kernels/simplex/timed/pricing_kernel.hpp"

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
