// A thread a source: it goes through a slice of the targets, tile by tile in shared memory.
#pragma once

#include "kernels/simplex/timed/device_prices.cuh"

namespace uotbench::simplex {

constexpr int scan_threads = 128;
constexpr int most_scan_k = 32;  ///< a tile of targets takes 1 KiB a coordinate

/// The block's sources meet targets [first, end), whole tiles. K: coordinates that the compiler knows, or 0:
/// c.k.
template <int K>
__device__ DeviceBest scanned(const DeviceClouds& c, double* tile, int first, int end) {
  const int i = int(threadIdx.x + blockDim.x * blockIdx.x), k = K ? K : c.k;
  DeviceBest best{c.threshold - c.own[i], -1};
  double x[K ? K : 1];
  if (K)
    for (int d = 0; d < K; ++d) x[d] = c.x[std::size_t(d) * c.x_stride + i];
  for (int begin = first; begin < end; begin += scan_threads) {
    __syncthreads();
    for (int d = 0; d < k; ++d)
      tile[d * scan_threads + int(threadIdx.x)] = c.y[std::size_t(d) * c.y_stride + begin + int(threadIdx.x)];
    tile[k * scan_threads + int(threadIdx.x)] = c.size[begin + int(threadIdx.x)];
    __syncthreads();
    for (int j = 0; j < scan_threads; ++j) {
      double value = tile[k * scan_threads + j];
      for (int d = 0; d < k; ++d)
        value += (K ? x[d < K ? d : 0] : c.x[std::size_t(d) * c.x_stride + i]) * tile[d * scan_threads + j];
      best.meet(value, begin + j);
    }
  }
  return best;
}

/// A slice's best goes to memory; merge_slices makes one of them.
template <int K>
__global__ void price_tiled(DeviceClouds c, int slice, double* value, int* target) {
  UOTBENCH_DYNAMIC_SHARED(double, tile);
  const int i = int(threadIdx.x + blockDim.x * blockIdx.x), first = int(blockIdx.y) * slice;
  const DeviceBest best = scanned<K>(c, tile, first, min(first + slice, c.y_stride));
  const std::size_t at = std::size_t(blockIdx.y) * c.x_stride + i;
  value[at] = best.value;
  target[at] = best.target;
}

/// Blocks of sources across, slices down.
class ScanningPrices : public SlicedPrices {
 public:
  using SlicedPrices::SlicedPrices;

 protected:
  dim3 block() const { return dim3(scan_threads); }
  dim3 rows() const { return dim3(unsigned(clouds_.x_stride / scan_threads)); }
  dim3 rows_by_slices() const { return dim3(rows().x, unsigned(slices_)); }

  template <class Kernel, class... More>
  void scan(Kernel kernel, More... more) {
    launch(kernel, rows_by_slices(), block(), std::size_t(clouds_.k + 1) * scan_threads * sizeof(double),
           nullptr, clouds_, slice_, value_.data(), target_.data(), more...);
  }
};

/// Prices with price_tiled.
class TiledPrices : public ScanningPrices {
 public:
  using ScanningPrices::ScanningPrices;

  void part() {
    scan(clouds_.k == 2 ? price_tiled<2> : clouds_.k == 3 ? price_tiled<3> : price_tiled<0>);
    merge();
  }
};

}  // namespace uotbench::simplex
