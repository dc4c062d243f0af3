// Scores by tensor cores, the best kept in the registers where they arise, so that no score is ever stored.
// Blocks of 8 warps meet 128 queries and 128 candidates, a warp 32 x 64, in slabs of 32 dimensions.
//
// `exact`: each number is a sum of two of TF32, and three products replace one (Ootomo and Yokota 2022,
// "Recovering single precision accuracy from Tensor Cores while surpassing the FP32 theoretical peak
// performance", section III); else both sets are rounded to bfloat16.
#pragma once

#include "harness/simt/pack.hpp"
#include "harness/simt/tensor.hpp"
#include "kernels/match/timed/parts.cuh"

namespace uotbench::match {

constexpr int tensor_tile = 128, slab = 32;
/// Words from one row of a slab to the next: rows of 8 lanes are then in different banks.
template <bool exact>
constexpr int stride = exact ? slab + 4 : slab / 2 + 4;

/// An eighth of a slab's row: four words of TF32's source, or two of bfloat16.
template <bool exact>
__device__ __forceinline__ void stage(unsigned* to, const float4& four) {
  if constexpr (exact)
    store(reinterpret_cast<float*>(to), four);
  else
    store(to, uint2{bf16_pair(four.x, four.y), bf16_pair(four.z, four.w)});
}

/// C += A B of one step along the dimensions, A and B as staged.
template <bool exact, int rows, int columns>
__device__ __forceinline__ void multiply(float (&c)[rows][columns][4], const unsigned* A, const unsigned* B) {
  const auto high = [](unsigned word) { return exact ? tf32_bits(__uint_as_float(word)) : word; };
  const auto low = [](unsigned word, unsigned high) {
    return tf32_bits(__uint_as_float(word) - __uint_as_float(high));
  };
  unsigned a[rows][4], rest[rows][4];
#pragma unroll
  for (int m = 0; m < rows; ++m)
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const unsigned word = A[(16 * m + i % 2 * 8) * stride<exact> + i / 2 * 4];
      a[m][i] = high(word);
      if constexpr (exact) rest[m][i] = low(word, a[m][i]);
    }
#pragma unroll
  for (int n = 0; n < columns; ++n) {
    const unsigned words[2] = {B[8 * n * stride<exact>], B[8 * n * stride<exact> + 4]};
    const unsigned b[2] = {high(words[0]), high(words[1])};
    if constexpr (exact) {
      const unsigned small[2] = {low(words[0], b[0]), low(words[1], b[1])};
#pragma unroll
      for (int m = 0; m < rows; ++m) {
        mma_tf32(c[m][n], rest[m], b);
        mma_tf32(c[m][n], a[m], small);
        mma_tf32(c[m][n], a[m], b);
      }
    } else {
#pragma unroll
      for (int m = 0; m < rows; ++m) mma_bf16(c[m][n], a[m], b);
    }
  }
}

template <bool exact>
__global__ void __launch_bounds__(256) match_by_tensor_cores(Sets s, Best* found) {
  UOTBENCH_DYNAMIC_SHARED(unsigned, shared);
  unsigned *const queries = shared, *const candidates = shared + tensor_tile * stride<exact>;
  const int t = threadIdx.x, lane = t % 32, row = lane / 4, four = lane % 4, bp1 = tensor_tile * blockIdx.x;
  const int m0 = t / 32 % 4 * 32, n0 = t / 128 * 64;
  const int tiles = (s.N + tensor_tile - 1) / tensor_tile, slabs = (s.D + slab - 1) / slab;
  const int first = tiles * blockIdx.y / gridDim.y * slabs,
            last = tiles * (blockIdx.y + 1) / gridDim.y * slabs;

  // Each thread brings an eighth of four rows of both slabs; the next ones while these are worked on. Half a
  // warp's two rows are 4 apart, and in different banks.
  const int brought = t / 64 * 8 + t / 8 % 2 * 4 + t / 16 % 4;
  float4 next[2][4];
  const auto fetch = [&](int step) {
    const int d = step % slabs * slab + t % 8 * 4, bp2 = step / slabs * tensor_tile;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::size_t at = std::size_t(brought + 32 * i) * s.D + d;
      next[0][i] = d < s.D ? load<float4>(s.queries + std::size_t(bp1) * s.D + at) : float4{};
      next[1][i] = d < s.D ? load<float4>(s.candidates + std::size_t(bp2) * s.D + at) : float4{};
    }
  };

  float best[2][2] = {{lowest, lowest}, {lowest, lowest}};
  int index[2][2] = {{-1, -1}, {-1, -1}};
  float c[2][8][4] = {};
  if (first < last) fetch(first);
  for (int step = first; step < last; ++step) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int at = (brought + 32 * i) * stride<exact> + t % 8 * (exact ? 4 : 2);
      stage<exact>(queries + at, next[0][i]);
      stage<exact>(candidates + at, next[1][i]);
    }
    __syncthreads();
    if (step + 1 < last) fetch(step + 1);
#pragma unroll
    for (int k = 0; k < (exact ? slab : slab / 2); k += 8)
      multiply<exact>(c, queries + (m0 + row) * stride<exact> + k + four,
                      candidates + (n0 + row) * stride<exact> + k + four);
    if ((step + 1) % slabs > 0) continue;
    const int bp2 = step / slabs * tensor_tile + n0 + 2 * four;
#pragma unroll
    for (int m = 0; m < 2; ++m)
#pragma unroll
      for (int n = 0; n < 8; ++n)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          if (c[m][n][i] > best[m][i / 2]) {
            best[m][i / 2] = c[m][n][i];
            index[m][i / 2] = bp2 + 8 * n + i % 2;
          }
          c[m][n][i] = 0;
        }
  }

  // Four lanes hold a query's columns of a warp's tile, two warps those of the block's.
  __syncthreads();
  float* const scores = reinterpret_cast<float*>(shared);  // [2][tensor_tile]
  int* const indices = reinterpret_cast<int*>(shared + 2 * tensor_tile);
#pragma unroll
  for (int m = 0; m < 2; ++m)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
      for (int step = 1; step < 4; step *= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, best[m][half], step);
        const int its = __shfl_xor_sync(0xffffffffu, index[m][half], step);
        if (other > best[m][half]) best[m][half] = other, index[m][half] = its;
      }
      if (four > 0) continue;
      const int at = t / 128 * tensor_tile + m0 + 16 * m + 8 * half + row;
      scores[at] = best[m][half];
      indices[at] = index[m][half];
    }
  __syncthreads();
  if (t >= tensor_tile || bp1 + t >= s.N) return;
  const int better = scores[tensor_tile + t] > scores[t] ? tensor_tile + t : t;
  found[std::size_t(blockIdx.y) * s.N + bp1 + t] = {scores[better], indices[better]};
}

/// Why there are none; empty: there are. On the CPU there are tensor cores of every kind.
inline std::string tensor_violation(const Point&) {
#ifdef UOTBENCH_SIMT
  return "";
#else
  int device = 0, major = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  return major >= 8 ? ""
                    : "tensor cores for bf16 and TF32 want compute capability 8.0; this GPU has " +
                          std::to_string(major) + ".x";
#endif
}

template <bool exact>
class ByTensorCores : public DeviceParts {
 public:
  using DeviceParts::DeviceParts;
  void iterate() {
    run(match_by_tensor_cores<exact>, tensor_tile, dim3(256),
        2 * tensor_tile * stride<exact> * sizeof(float));
  }
};
using ByThreeProductsOfTf32 = ByTensorCores<true>;
using ByProductsOfBf16 = ByTensorCores<false>;

}  // namespace uotbench::match
