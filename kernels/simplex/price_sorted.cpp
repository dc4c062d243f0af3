// Targets in the order of their norms, so that lemma 2 skips ranges.
#include "kernels/simplex/timed/price_sorted.hpp"

#include "kernels/simplex/timed/pricing_kernel.hpp"

namespace uotbench::simplex {
namespace {

class PriceSorted : public PricingKernel {
 public:
  explicit PriceSorted(const Problem<double>& p)
      : PricingKernel(p, std::make_unique<SortedPricing>(clouds_of(p))) {}
};

const Variant<void, PriceSorted> price_sorted_variant{{
    .name = "simplex/price_sorted",
    .summary = "targets by norm: lemma 2 rules groups of them out",
    .matrices = 0,
}};

}  // namespace
}  // namespace uotbench::simplex
