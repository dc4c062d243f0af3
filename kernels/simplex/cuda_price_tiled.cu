// A thread a source; tiles of targets are in shared memory, which all threads of a block read alike. A
// slice's best goes to memory, and a second kernel merges the slices.
#include "kernels/simplex/timed/device_scan.cuh"

namespace uotbench::simplex {
namespace {

class CudaPriceTiled : public TiledPrices {
 public:
  using TiledPrices::TiledPrices;
  void iterate() { part(); }
};

const Variant<void, CudaPriceTiled> cuda_price_tiled_variant{
    {
        .name = "simplex/cuda_price_tiled",
        .summary = "a thread a source, tiles of targets in shared memory",
        .axes = {slices_axis()},
        .work = device_pricing_work,
        .device = true,
        .matrices = 0,
    },
    {.most_k = most_scan_k}};

}  // namespace
}  // namespace uotbench::simplex
