// A thread a source: it goes through a slice of the targets, tile by tile in shared memory.
#pragma once

#include "kernels/simplex/parts/device_prices.cuh"

namespace uotbench::simplex {

constexpr int scan_threads = 128;
constexpr int most_scan_k = 32;  ///< a tile of targets takes 1 KiB a coordinate

/// The block's sources meet targets [first, end), whole tiles. K: coordinates that the compiler knows, or 0:
/// c.k.
template <int K>
__device__ DeviceBest scanned(const DeviceClouds& c, double* tile, int first, int end) {
  const int i = int(threadIdx.x + blockDim.x * blockIdx.x), k = K ? K : c.k;
  DeviceBest best{-c.own[i], -1};
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

inline std::size_t scan_shared(int k) { return std::size_t(k + 1) * scan_threads * sizeof(double); }

}  // namespace uotbench::simplex
