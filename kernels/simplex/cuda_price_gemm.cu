// A matrix product with a minimum as its end: a block makes 64 x 64 products at a time, 4 x 4 a thread, and
// keeps of each of its sources the least value alone. For any k.
#include "kernels/simplex/timed/device_prices.cuh"

namespace uotbench::simplex {
namespace {

constexpr int side = 64, across = 16, each = 4, deep = 8;

__global__ void price_gemm(DeviceClouds c, int slice, double* value, int* target) {
  __shared__ double xs[deep][side], ys[deep][side];
  __shared__ double values[across][side];
  __shared__ int targets[across][side];
  const int tx = int(threadIdx.x), ty = int(threadIdx.y), thread = ty * across + tx;
  const int row = int(blockIdx.x) * side, first = int(blockIdx.y) * slice,
            end = min(first + slice, c.y_stride);
  DeviceBest best[each];
  for (int r = 0; r < each; ++r) best[r] = {-c.own[row + ty * each + r], -1};
  for (int begin = first; begin < end; begin += side) {
    double sums[each][each];
    for (int q = 0; q < each; ++q)
      for (int r = 0; r < each; ++r) sums[r][q] = c.size[begin + tx + q * across];
    for (int d = 0; d < c.k; d += deep) {
      __syncthreads();
      for (int t = thread; t < deep * side; t += across * across) {
        const int e = t / side, p = t % side;
        xs[e][p] = d + e < c.k ? c.x[std::size_t(d + e) * c.x_stride + row + p] : 0;
        ys[e][p] = d + e < c.k ? c.y[std::size_t(d + e) * c.y_stride + begin + p] : 0;
      }
      __syncthreads();
      for (int e = 0; e < deep; ++e)
        for (int r = 0; r < each; ++r)
          for (int q = 0; q < each; ++q) sums[r][q] += xs[e][ty * each + r] * ys[e][tx + q * across];
    }
    for (int r = 0; r < each; ++r)
      for (int q = 0; q < each; ++q) best[r].meet(sums[r][q], begin + tx + q * across);
  }
  for (int r = 0; r < each; ++r) {
    values[tx][ty * each + r] = best[r].value;
    targets[tx][ty * each + r] = best[r].target;
  }
  __syncthreads();
  if (thread >= side) return;
  DeviceBest all{values[0][thread], targets[0][thread]};
  for (int t = 1; t < across; ++t) all.meet(values[t][thread], targets[t][thread]);
  const std::size_t at = std::size_t(blockIdx.y) * c.x_stride + row + thread;
  value[at] = all.value;
  target[at] = all.target;
}

class CudaPriceGemm : public SlicedPrices {
 public:
  using SlicedPrices::SlicedPrices;

  void part() {
    launch(price_gemm, dim3(unsigned(clouds_.x_stride / side), unsigned(slices_)), dim3(across, across), 0,
           nullptr, clouds_, slice_, value_.data(), target_.data());
    merge();
  }
  void iterate() { part(); }
};

const Variant<void, CudaPriceGemm> cuda_price_gemm_variant{{
    .name = "simplex/cuda_price_gemm",
    .summary = "64 x 64 products a block, 4 x 4 a thread, of which the minima are kept",
    .axes = {slices_axis()},
    .work = device_pricing_work,
    .device = true,
    .matrices = 0,
}};

}  // namespace
}  // namespace uotbench::simplex
