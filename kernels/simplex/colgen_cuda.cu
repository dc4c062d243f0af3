// Column generation with the pricing on a GPU and the master on the CPU: potentials go there and the most
// violated arcs come back, in each round.
#include "kernels/simplex/parts/device_scan.cuh"
#include "kernels/simplex/parts/solving.hpp"

namespace uotbench::simplex {
namespace {

class ColgenCuda : public ColgenKernel {
 public:
  explicit ColgenCuda(const Problem<double>& p)
      : ColgenKernel(p),
        prices_(int(p.at.integer("slices")), reduced_.X, reduced_.Y, costs_.clouds.M, costs_.clouds.N,
                costs_.clouds.k) {}

  void part() {
    const auto price = [&](auto u, auto v, double threshold, Priced& out, const auto& add) {
      {
        const Region copy("copy");
        prices_.take(u, v, threshold);
      }
      {
        const Region price("price");
        prices_.part();
        check(cudaDeviceSynchronize());
      }
      const Region copy("copy");
      prices_.download(out.delta, out.target);
      out.evaluated += double(costs_.clouds.M) * double(costs_.clouds.N);
      for (std::size_t i = 0; i < out.target.size(); ++i)
        if (out.target[i] >= 0) add(i, std::size_t(out.target[i]));
    };
    do solve(nothing(), price);
    while (raise_costs());
  }

 private:
  TiledPrices prices_;
};

const Variant<void, ColgenCuda> colgen_cuda_variant{
    {
        .name = "simplex/colgen_cuda",
        .summary = "colgen with pricing on a GPU, the master on the CPU",
        .axes = colgen_axes({slices_axis()}),
        .device = true,
        .phases = {"copy", "price", "update", "pivot"},
        .matrices = 0,
    },
    {.most_k = most_scan_k}};

}  // namespace
}  // namespace uotbench::simplex
