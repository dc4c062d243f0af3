// Sources in registers meet blocks of targets that are in the first cache: k products and additions and a
// minimum a pair, in the lanes of vectors. In a lane only the least value of a block is kept; which target
// has it is looked up where it is less than what the source has found so far.
#include "kernels/simplex/parts/price_lanes.hpp"
#include "kernels/simplex/parts/pricing_kernel.hpp"

namespace uotbench::simplex {
namespace {

template <std::size_t k>
class SimdPricing final : public Pricing {
 public:
  explicit SimdPricing(const Clouds& clouds) : tiles_(clouds) {}

  void price(std::span<const double> u, std::span<const double> v, double threshold, Priced& out) override {
    tiles_.take(v);  // n_j = |y_j|^2 + v_j
#pragma omp parallel for schedule(static)
    for (std::size_t first = 0; first < tiles_.sources(); first += tiles_.rows) {
      auto tile = tiles_.tile(first, u, threshold);
      for (std::size_t begin = 0; begin < tiles_.targets(); begin += tiles_.block)
        tiles_.meet(begin, tile);  // min over j of n_j - 2 <x_i, y_j>, for each source i of the tile
      tiles_.write(tile, out);     // plus |x_i|^2 - u_i
    }
    out.evaluated += tiles_.pairs();
  }
  double bytes() const override { return tiles_.bytes(); }

 private:
  LaneTiles<k> tiles_;
};

class PriceSimd : public PricingKernel {
 public:
  explicit PriceSimd(const Problem<double>& p) : PricingKernel(p, by_k(p)) {}

 private:
  static std::unique_ptr<Pricing> by_k(const Problem<double>& p) {
    if (p.k == 2) return std::make_unique<SimdPricing<2>>(clouds_of(p));
    return std::make_unique<SimdPricing<3>>(clouds_of(p));
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
