// Groups of points that lie close together: most pairs of groups are ruled out by their boxes.
#include "kernels/simplex/timed/price_boxes.hpp"

#include "kernels/simplex/timed/pricing_kernel.hpp"

namespace uotbench::simplex {
namespace {

class PriceBoxes : public PricingKernel {
 public:
  explicit PriceBoxes(const Problem<double>& p) : PricingKernel(p, by_k(p)) {}

 private:
  static std::unique_ptr<Pricing> by_k(const Problem<double>& p) {
    if (p.k == 2) return std::make_unique<BoxPricing<2>>(clouds_of(p));
    return std::make_unique<BoxPricing<3>>(clouds_of(p));
  }
};

const Variant<void, PriceBoxes> price_boxes_variant{
    {
        .name = "simplex/price_boxes",
        .summary = "groups of near points: a lower bound rules pairs of groups out",
        .matrices = 0,
    },
    {.least_k = 2, .most_k = 3}};

}  // namespace
}  // namespace uotbench::simplex
