// Whole rows on a GPU: a block holds a row in registers, so that both steps of an iteration need one pass.
// Blocks are persistent: each takes every gridDim.x-th row, adds it to column sums of its own, in registers
// too, and writes those once at the end; a second kernel adds up the blocks'. While a row is summed, the next
// one is being loaded. What of a row does not fit the registers is read a second time, from L2.
#pragma once

#include "harness/worker/choices.hpp"
#include "kernels/uot/timed/device_plan.cuh"

namespace uotbench::uot {

/// Threads of a block: with 128 registers each they fill a multiprocessor.
inline constexpr int row_threads = 512;

/// The value of a stored number.
template <class Real, class Stored>
__device__ __forceinline__ Real value_of(Stored stored) {
  if constexpr (std::is_same_v<Stored, __nv_bfloat16>)
    return __bfloat162float(stored);
  else
    return stored;
}

/// Loads and stores of 16 bytes.
template <class Real, int count>
__device__ __forceinline__ void load_in_packs(const Real* from, Real (&to)[count]) {
  constexpr int each = count * sizeof(Real) < 16 ? count : 16 / sizeof(Real);
#pragma unroll
  for (int i = 0; i < count; i += each) {
    const auto pack = load<Pack<Real, each>>(from + i);
#pragma unroll
    for (int k = 0; k < each; ++k) to[i + k] = pack.of[k];
  }
}
template <int count, class Real>
__device__ __forceinline__ void store_in_packs(Real* to, const Real* from) {
  constexpr int each = count * sizeof(Real) < 16 ? count : 16 / sizeof(Real);
#pragma unroll
  for (int i = 0; i < count; i += each) {
    Pack<Real, each> pack;
#pragma unroll
    for (int k = 0; k < each; ++k) pack.of[k] = from[i + k];
    store(to + i, pack);
  }
}

/// The sum over a block, in every thread. `turn` alternates from call to call, so that one barrier is enough:
/// no thread writes what another may still read.
template <class Real>
__device__ Real block_sum(Real value, int turn) {
  __shared__ Real warps[2][row_threads / 32];
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) warps[turn][threadIdx.x / 32] = value;
  __syncthreads();
  Real sum = 0;
#pragma unroll
  for (int w = 0; w < row_threads / 32; ++w) sum += warps[turn][w];
  return sum;
}

/// What an iteration does with a row's cells: a policy with three members.
///
/// Real term(Real cell, Real weight): what is summed by column.
///
/// Real scale(int row, Real dot): what the row's terms are multiplied by; dot is cells times weights.
///
/// template <int count> void keep(int row, int column, const Real* terms): takes `count` scaled terms.
///
/// partial: gridDim.x x pitch, sums by column of each block's rows.
template <class Real, class Stored, int packs, bool preload, class Form>
__global__ void __launch_bounds__(row_threads)
    over_rows(const Stored* matrix, const Real* __restrict__ weights, Real* partial, int M, int pitch,
              Form form) {
  constexpr int vec = 16 / sizeof(Stored), held = row_threads * packs * vec;  // held: of a row's columns
  using In = Pack<Stored, vec>;
  const auto column_of = [](int pack) { return vec * (row_threads * pack + int(threadIdx.x)); };
  const auto fetch = [&](In(&cells)[packs], int row) {
#pragma unroll
    for (int p = 0; p < packs; ++p)
      if (column_of(p) < pitch) cells[p] = load<In>(matrix + std::size_t(row) * pitch + column_of(p));
  };
  Real* const mine = partial + std::size_t(blockIdx.x) * pitch;
  for (int j = held + threadIdx.x; j < pitch; j += row_threads) mine[j] = 0;

  Real sums[packs][vec] = {};
  In cells[packs], next[packs];
  if constexpr (preload) fetch(next, blockIdx.x);
  int turn = 0;
  for (int row = blockIdx.x; row < M; row += gridDim.x, turn ^= 1) {
    if constexpr (preload) {
#pragma unroll
      for (int p = 0; p < packs; ++p) cells[p] = next[p];
      if (row + int(gridDim.x) < M) fetch(next, row + gridDim.x);
    } else {
      fetch(cells, row);
    }
    const Stored* const whole = matrix + std::size_t(row) * pitch;
    Real terms[packs][vec], dot = 0;
#pragma unroll
    for (int p = 0; p < packs; ++p) {
      if (column_of(p) >= pitch) continue;
      Real weight[vec];
      load_in_packs(weights + column_of(p), weight);
#pragma unroll
      for (int k = 0; k < vec; ++k) {
        const Real cell = value_of<Real>(cells[p].of[k]);
        terms[p][k] = form.term(cell, weight[k]);
        dot += cell * weight[k];
      }
    }
    for (int j = held + threadIdx.x; j < pitch; j += row_threads)
      dot += value_of<Real>(whole[j]) * weights[j];

    const Real scale = form.scale(row, block_sum(dot, turn));
#pragma unroll
    for (int p = 0; p < packs; ++p) {
      if (column_of(p) >= pitch) continue;
#pragma unroll
      for (int k = 0; k < vec; ++k) sums[p][k] += terms[p][k] *= scale;
      form.template keep<vec>(row, column_of(p), terms[p]);
    }
    for (int j = held + threadIdx.x; j < pitch; j += row_threads) {
      const Real term = form.term(value_of<Real>(whole[j]), weights[j]) * scale;
      mine[j] += term;
      form.template keep<1>(row, j, &term);
    }
  }
#pragma unroll
  for (int p = 0; p < packs; ++p)
    if (column_of(p) < pitch) store_in_packs<vec>(mine + column_of(p), sums[p]);
}

/// For each column: take(j, its sum over the blocks).
template <class Real, class Take>
__global__ void over_columns(const Real* partial, int blocks, int pitch, Take take) {
  __shared__ Real warps[16][33];
  const int column = 32 * blockIdx.x + threadIdx.x;
  Real sum = 0;
  if (column < pitch)
    for (int b = threadIdx.y; b < blocks; b += 16) sum += partial[std::size_t(b) * pitch + column];
  warps[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0) return;
  for (int w = 1; w < 16; ++w) sum += warps[w][threadIdx.x];
  if (column < pitch) take(column, sum);
}

/// Passes over a matrix of rows padded to `pitch` columns.
template <class Real, class Stored, class Form>
class RowPasses {
  static constexpr int vec = 16 / sizeof(Stored);
  using Kernel = void (*)(const Stored*, const Real*, Real*, int, int, Form);

 public:
  RowPasses(int M, std::size_t pitch)
      : M_(M),
        pitch_(static_cast<int>(pitch)),
        kernel_(kernel_for(pitch_)),
        blocks_(most_blocks()),
        partial_(blocks_ * pitch) {}

  void over_rows(const Stored* matrix, const Real* weights, const Form& form) {
    launch(kernel_, dim3(blocks_), dim3(row_threads), 0, nullptr, matrix, weights, partial_.data(), M_,
           pitch_, form);
  }
  template <class Take>
  void over_columns(const Take& take) {
    launch(uot::over_columns<Real, Take>, dim3(blocks_of(pitch_, 32)), dim3(32, 16), 0, nullptr,
           partial_.data(), blocks_, pitch_, take);
  }

 private:
  /// The smallest that holds a row, else the largest: 128 registers hold 40 elements, and their sums.
  static Kernel kernel_for(int pitch) {
    Kernel found = nullptr;
    int held = 0;  // columns that the kernel found so far holds
    const auto consider = [&]<int packs>(std::integral_constant<int, packs>) {
      constexpr int registers = packs * (4 + vec * int(sizeof(Real)) / 4);  // of cells or terms, and sums
      if constexpr (registers <= 80)
        if (held < pitch) {
          found = uot::over_rows<Real, Stored, packs, (registers <= 40), Form>;
          held = row_threads * vec * packs;
        }
    };
    Sizes::each(consider);
    return found;
  }
  /// The number that runs at a time, and no more than rows.
  int most_blocks() const {
    int device = 0, processors = 0, each = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel_, row_threads, 0));
    return std::min(M_, processors * std::max(each, 1));
  }

  using Sizes = Choices<1, 2, 3, 4, 5, 6, 8, 10>;

  int M_, pitch_;
  Kernel kernel_;
  int blocks_;
  DeviceArray<Real> partial_;
};

}  // namespace uotbench::uot
