// A thread a source; tiles of targets are in shared memory, which all threads of a block read alike. A
// slice's best goes to memory, and a second kernel merges the slices.
#include "kernels/simplex/parts/device_scan.cuh"

namespace uotbench::simplex {
namespace {

template <int K>
__global__ void price_tiled(DeviceClouds c, int slice, double* value, int* target) {
  UOTBENCH_DYNAMIC_SHARED(double, tile);
  const int i = int(threadIdx.x + blockDim.x * blockIdx.x), first = int(blockIdx.y) * slice;
  const DeviceBest best = scanned<K>(c, tile, first, min(first + slice, c.y_stride));
  const std::size_t at = std::size_t(blockIdx.y) * c.x_stride + i;
  value[at] = best.value;
  target[at] = best.target;
}

class CudaPriceTiled : public DevicePrices {
 public:
  explicit CudaPriceTiled(const Problem<double>& p)
      : DevicePrices(p),
        tiles_(slice_tiles(int(p.at.integer("slices")))),
        slices_((clouds_.y_stride / int(tile) + tiles_ - 1) / tiles_),
        value_(std::size_t(slices_) * padded(p.M)),
        target_(std::size_t(slices_) * padded(p.M)) {}

  void part() {
    const auto kernel = clouds_.k == 2 ? price_tiled<2> : clouds_.k == 3 ? price_tiled<3> : price_tiled<0>;
    const auto blocks = unsigned(clouds_.x_stride / scan_threads);
    launch(kernel, dim3(blocks, unsigned(slices_)), dim3(scan_threads), scan_shared(clouds_.k), nullptr,
           clouds_, tiles_ * int(tile), value_.data(), target_.data());
    launch(merge_slices<scan_threads>, dim3(blocks), dim3(scan_threads), 0, nullptr, clouds_, slices_,
           static_cast<const double*>(value_.data()), static_cast<const int*>(target_.data()), delta_.data(),
           best_.data());
  }
  void iterate() { part(); }

 private:
  int tiles_, slices_;
  DeviceArray<double> value_;
  DeviceArray<int> target_;
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
