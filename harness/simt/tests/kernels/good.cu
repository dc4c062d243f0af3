#include "harness/simt/cuda.hpp"
#include "harness/simt/device_array.hpp"
#include "harness/simt/tensor.hpp"
#include "harness/simt/tests/kernels/kernels.hpp"

namespace uotbench::simt::tests {
namespace {

unsigned blocks_of(std::size_t count, int block) {
  return static_cast<unsigned>((count + static_cast<std::size_t>(block) - 1) /
                               static_cast<std::size_t>(block));
}

template <class T>
std::vector<T> values_of(const DeviceArray<T>& array) {
  std::vector<T> values(array.size());
  array.download(values);
  return values;
}

__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

__global__ void __launch_bounds__(1024)
    sum_kernel(const float* __restrict__ values, int count, float* result) {
  __shared__ float sums[32];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const float mine = warp_sum(i < count ? __ldg(values + i) : 0.f);
  if (threadIdx.x % warpSize == 0) sums[threadIdx.x / warpSize] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  const float all = warp_sum(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0.f);
  if (threadIdx.x == 0) atomicAdd(result, all);
}

template <int tile>
__global__ void __launch_bounds__(tile* tile)
    transpose(const float* __restrict__ matrix, float* __restrict__ result, int rows, int columns) {
  __shared__ float values[tile][tile + 1];
  int x = static_cast<int>(blockIdx.x * tile + threadIdx.x),
      y = static_cast<int>(blockIdx.y * tile + threadIdx.y);
  if (x < columns && y < rows) values[threadIdx.y][threadIdx.x] = matrix[y * columns + x];
  __syncthreads();
  x = static_cast<int>(blockIdx.y * tile + threadIdx.x);
  y = static_cast<int>(blockIdx.x * tile + threadIdx.y);
  if (x < rows && y < columns) result[y * rows + x] = values[threadIdx.x][threadIdx.y];
}

__global__ void count_values(const unsigned char* values, int count, unsigned* counts) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += step)
    atomicAdd(&mine[values[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

__global__ void reverse(float* values) {
  UOTBENCH_DYNAMIC_SHARED(float, shared);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  shared[threadIdx.x] = values[i];
  __syncthreads();
  values[i] = shared[blockDim.x - 1 - threadIdx.x];
}

__constant__ float coefficients_of_all[3];

__global__ void evaluate(float* x, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float* const c = coefficients_of_all;
  x[i] = fmaf(fmaf(c[2], x[i], c[1]), x[i], c[0]);
}

__device__ unsigned found;

__global__ void count_greater(const float* values, int count, float limit) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned votes = __ballot_sync(0xffffffffu, i < count && values[i] > limit);
  if (threadIdx.x % 32 == 0) atomicAdd(&found, static_cast<unsigned>(__popc(votes)));
}

template <class T>
__global__ void store(const float* x, T* to, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) to[i] = T(x[i]);
}
template <class T>
__global__ void load(const T* from, float* x, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) x[i] = float(from[i]);
}
template <class T>
Floats through(const Floats& x) {
  const int count = static_cast<int>(x.size());
  DeviceArray<float> values(x);
  DeviceArray<T> stored(x.size());
  launch(store<T>, blocks_of(x.size(), 128), 128, 0, nullptr, values.data(), stored.data(), count);
  values.zero();
  launch(load<T>, blocks_of(x.size(), 128), 128, 0, nullptr, stored.data(), values.data(), count);
  return values_of(values);
}

__global__ void add_neighbours(const float* values, float* sums) {
  __shared__ float copied[64];
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  __pipeline_memcpy_async(&copied[threadIdx.x], &values[i], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  sums[i] = copied[threadIdx.x] + copied[(threadIdx.x + 1) % 64];
}

__global__ void find_maxima(const float* values, int count, float* maxima) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  float greatest = values[i];
  const int lanes = min(32, count - (i - i % 32));
  const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  for (int lane = 0; lane < lanes; ++lane) greatest = fmaxf(greatest, __shfl_sync(mask, values[i], lane));
  __syncwarp(mask);
  if (i % 32 == 0) maxima[i / 32] = greatest;
}

/// Rows of A and columns of B, which is stored by columns, are k long.
__global__ void multiply_tf32(const float* A, const float* B, float* C) {
  const int row = threadIdx.x / 4, four = threadIdx.x % 4, k = 8;
  const unsigned a[4] = {tf32_bits(A[row * k + four]), tf32_bits(A[(row + 8) * k + four]),
                         tf32_bits(A[row * k + four + 4]), tf32_bits(A[(row + 8) * k + four + 4])};
  const unsigned b[2] = {tf32_bits(B[row * k + four]), tf32_bits(B[row * k + four + 4])};
  float* const at[4] = {C + row * 8 + 2 * four, C + row * 8 + 2 * four + 1, C + (row + 8) * 8 + 2 * four,
                        C + (row + 8) * 8 + 2 * four + 1};
  float c[4] = {*at[0], *at[1], *at[2], *at[3]};
  mma_tf32(c, a, b);
  for (int i = 0; i < 4; ++i) *at[i] = c[i];
}

__global__ void multiply_bf16(const float* A, const float* B, float* C) {
  const int row = threadIdx.x / 4, two = threadIdx.x % 4 * 2, k = 16;
  const auto pair = [](const float* at) { return bf16_pair(at[0], at[1]); };
  const unsigned a[4] = {pair(A + row * k + two), pair(A + (row + 8) * k + two), pair(A + row * k + two + 8),
                         pair(A + (row + 8) * k + two + 8)};
  const unsigned b[2] = {pair(B + row * k + two), pair(B + row * k + two + 8)};
  float* const at[4] = {C + row * 8 + two, C + row * 8 + two + 1, C + (row + 8) * 8 + two,
                        C + (row + 8) * 8 + two + 1};
  float c[4] = {*at[0], *at[1], *at[2], *at[3]};
  mma_bf16(c, a, b);
  for (int i = 0; i < 4; ++i) *at[i] = c[i];
}

__global__ void add_scaled(const float4* x, const float4* y, float4* result, float scale, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float4 a = x[i], b = y[i];
  result[i] = make_float4(scale * (a.x + b.x), scale * (a.y + b.y), scale * (a.z + b.z), scale * (a.w + b.w));
}

template <int width, int rows>
__global__ void __launch_bounds__(width)
    scale_rows(float* __restrict__ matrix, const float* __restrict__ factors, float* sums, int height,
               int columns) {
  const int x = static_cast<int>(blockIdx.x * width + threadIdx.x), y = static_cast<int>(blockIdx.y * rows);
  __shared__ float mine[rows];
  if (threadIdx.x < rows)
    mine[threadIdx.x] = y + static_cast<int>(threadIdx.x) < height ? factors[y + threadIdx.x] : 0.f;
  __syncthreads();
  if (x >= columns) return;
  float total = 0.f;
  for (int i = 0; i < rows && y + i < height; ++i) {
    const std::size_t at = static_cast<std::size_t>(y + i) * columns + x;
    matrix[at] *= mine[i];
    total += matrix[at];
  }
  atomicAdd(&sums[x], total);
}

template <int width, int rows>
__global__ void __launch_bounds__(width)
    scale_columns(float* __restrict__ matrix, const float* __restrict__ factors, float* sums, int height,
                  int columns) {
  __shared__ float warps[width / 32];
  const int x = static_cast<int>(blockIdx.x * width + threadIdx.x), y = static_cast<int>(blockIdx.y * rows);
  const float factor = x < columns ? factors[x] : 0.f;
  for (int i = 0; i < rows && y + i < height; ++i) {
    float value = 0.f;
    if (x < columns) value = matrix[static_cast<std::size_t>(y + i) * columns + x] *= factor;
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
      float total = 0.f;
      for (const float each : warps) total += each;
      atomicAdd(&sums[y + i], total);
    }
    __syncthreads();
  }
}

__global__ void note_order(int* next, int* order) {
  order[atomicAdd(next, 1)] = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void exchange(int* results) {
  constexpr unsigned all = 0xffffffffu;
  const int lane = static_cast<int>(threadIdx.x) % warpSize;
  const int values[exchanges] = {
      __shfl_up_sync(all, lane, 3, 8),
      __shfl_down_sync(all, lane, 3, 8),
      __shfl_xor_sync(all, lane, 5, 8),
      __shfl_sync(all, lane, 2, 8),
      static_cast<int>(__ballot_sync(all, lane % 2)),
      __any_sync(all, lane == 3),
      __all_sync(all, lane == 3),
      static_cast<int>(__match_any_sync(all, lane / 8)),
      __reduce_add_sync(all, lane - 5),
      __reduce_min_sync(all, lane - 5),
      __reduce_max_sync(all, lane - 5),
      static_cast<int>(__reduce_or_sync(all, static_cast<unsigned>(lane))),
      __syncthreads_count(lane % 2),
      __syncthreads_and(lane % 2),
      __syncthreads_or(lane % 2),
  };
  for (int i = 0; i < exchanges; ++i) results[exchanges * static_cast<int>(threadIdx.x) + i] = values[i];
}

__global__ void change(unsigned* values, unsigned* old) {
  old[0] = atomicAdd(&values[0], 10u);
  old[1] = atomicSub(&values[1], 10u);
  old[2] = atomicMin(&values[2], 10u);
  old[3] = atomicMax(&values[3], 10u);
  old[4] = atomicAnd(&values[4], 10u);
  old[5] = atomicOr(&values[5], 10u);
  old[6] = atomicXor(&values[6], 10u);
  old[7] = atomicExch(&values[7], 10u);
  old[8] = atomicCAS(&values[8], 11u, 10u);
  old[9] = atomicCAS(&values[9], 12u, 10u);
  old[10] = atomicInc(&values[10], 10u);
  old[11] = atomicDec(&values[11], 10u);
}

__global__ void compute(float x, float* results) {
  const float values[] = {__expf(x),
                          rsqrtf(x),
                          __fdividef(1.f, x),
                          fmaf(x, x, 1.f),
                          fminf(x, 3.f),
                          max(x, 3.f),
                          static_cast<float>(min(7, 4)),
                          static_cast<float>(__popc(0xf0u)),
                          static_cast<float>(__clz(1)),
                          static_cast<float>(__ffs(8)),
                          __int_as_float(__float_as_int(x)),
                          powf(x, 2.f),
                          exp2f(x),
                          static_cast<float>(__brev(1u) >> 28),
                          __saturatef(x)};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) results[i] = values[i];
}

struct Pair {
  float first, second;
};
__global__ void take(double* results, int i, const std::size_t size, float f, Pair pair, bool flag) {
  results[0] = i;
  results[1] = static_cast<double>(size);
  results[2] = f;
  results[3] = pair.first;
  results[4] = pair.second;
  results[5] = flag;
}

}  // namespace

std::vector<int> order_of_threads(int blocks, int block) {
  DeviceArray<int> next(1), order(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(block));
  next.zero();
  launch(note_order, static_cast<unsigned>(blocks), static_cast<unsigned>(block), 0, nullptr, next.data(),
         order.data());
  return values_of(order);
}

std::vector<int> exchanged() {
  DeviceArray<int> results(64 * exchanges);
  launch(exchange, 1, 64, 0, nullptr, results.data());
  return values_of(results);
}

std::vector<unsigned> atomics() {
  DeviceArray<unsigned> values(std::vector<unsigned>(12, 12)), old(12);
  launch(change, 1, 1, 0, nullptr, values.data(), old.data());
  std::vector<unsigned> all = values_of(old);
  for (const unsigned value : values_of(values)) all.push_back(value);
  return all;
}

Floats functions(float x) {
  DeviceArray<float> results(15);
  launch(compute, 1, 1, 0, nullptr, x, results.data());
  return values_of(results);
}

std::vector<double> parameters() {
  DeviceArray<double> results(6);
  const short i = -3;
  const unsigned size = 4000000000u;
  launch(take, 1, 1, 0, nullptr, results.data(), i, size, 0.5, Pair{1, 2}, true);
  return values_of(results);
}

float sum(const Floats& values, int block) {
  const DeviceArray<float> array(values);
  DeviceArray<float> result(1);
  result.zero();
  launch(sum_kernel, blocks_of(values.size(), block), static_cast<unsigned>(block), 0, nullptr, array.data(),
         static_cast<int>(values.size()), result.data());
  return values_of(result)[0];
}

Floats transposed(const Floats& matrix, int rows, int columns) {
  const DeviceArray<float> array(matrix);
  DeviceArray<float> result(matrix.size());
  const dim3 grid(blocks_of(static_cast<std::size_t>(columns), 16),
                  blocks_of(static_cast<std::size_t>(rows), 16));
  launch(transpose<16>, grid, dim3(16, 16), 0, nullptr, array.data(), result.data(), rows, columns);
  return values_of(result);
}

std::vector<unsigned> histogram(const std::vector<unsigned char>& values) {
  const DeviceArray<unsigned char> array(values);
  DeviceArray<unsigned> counts(256);
  counts.zero();
  launch(count_values, 4, 256, 0, nullptr, array.data(), static_cast<int>(values.size()), counts.data());
  return values_of(counts);
}

Floats reversed_blocks(const Floats& values, int block) {
  DeviceArray<float> array(values);
  launch(reverse, blocks_of(values.size(), block), static_cast<unsigned>(block),
         static_cast<std::size_t>(block) * sizeof(float), nullptr, array.data());
  return values_of(array);
}

Floats polynomial(const Floats& x, const Floats& coefficients) {
  check(cudaMemcpyToSymbol(coefficients_of_all, coefficients.data(), 3 * sizeof(float)));
  DeviceArray<float> array(x);
  launch(evaluate, blocks_of(x.size(), 64), 64, 0, nullptr, array.data(), static_cast<int>(x.size()));
  return values_of(array);
}

unsigned count_above(const Floats& values, float limit) {
  const DeviceArray<float> array(values);
  unsigned count = 0;
  check(cudaMemcpyToSymbol(found, &count, sizeof count));
  launch(count_greater, blocks_of(values.size(), 96), 96, 0, nullptr, array.data(),
         static_cast<int>(values.size()), limit);
  check(cudaMemcpyFromSymbol(&count, found, sizeof count));
  return count;
}

Floats through_half(const Floats& x) { return through<__half>(x); }
Floats through_bfloat16(const Floats& x) { return through<__nv_bfloat16>(x); }

Floats neighbour_sums(const Floats& values) {
  const DeviceArray<float> array(values);
  DeviceArray<float> sums(values.size());
  launch(add_neighbours, static_cast<unsigned>(values.size() / 64), 64, 0, nullptr, array.data(),
         sums.data());
  return values_of(sums);
}

Floats warp_maxima(const Floats& values) {
  const DeviceArray<float> array(values);
  DeviceArray<float> maxima(blocks_of(values.size(), 32));
  launch(find_maxima, blocks_of(values.size(), 128), 128, 0, nullptr, array.data(),
         static_cast<int>(values.size()), maxima.data());
  return values_of(maxima);
}

Floats tensor_product(const Floats& A, const Floats& B, const Floats& C) {
  const DeviceArray<float> first(A), second(B);
  DeviceArray<float> result(C);
  launch(A.size() == 128 ? multiply_tf32 : multiply_bf16, 1, 32, 0, nullptr, first.data(), second.data(),
         result.data());
  return values_of(result);
}

Floats axpy4(const Floats& x, const Floats& y, float scale) {
  const DeviceArray<float> first(x), second(y);
  DeviceArray<float> result(x.size());
  const int count = static_cast<int>(x.size() / 4);
  launch(add_scaled, blocks_of(x.size() / 4, 64), 64, 0, nullptr,
         reinterpret_cast<const float4*>(first.data()), reinterpret_cast<const float4*>(second.data()),
         reinterpret_cast<float4*>(result.data()), scale, count);
  return values_of(result);
}

void scale_twice(Floats& matrix, const Floats& rows, const Floats& columns, int height, int width,
                 Floats& column_sums, Floats& row_sums) {
  DeviceArray<float> device(matrix), of_columns(columns.size()), of_rows(rows.size());
  const DeviceArray<float> by_row(rows), by_column(columns);
  of_columns.zero();
  of_rows.zero();
  const auto x = static_cast<std::size_t>(width), y = static_cast<std::size_t>(height);
  launch(scale_rows<64, 8>, dim3(blocks_of(x, 64), blocks_of(y, 8)), 64, 0, nullptr, device.data(),
         by_row.data(), of_columns.data(), height, width);
  launch(scale_columns<64, 8>, dim3(blocks_of(x, 64), blocks_of(y, 8)), 64, 0, nullptr, device.data(),
         by_column.data(), of_rows.data(), height, width);
  device.download(matrix);
  of_columns.download(column_sums);
  of_rows.download(row_sums);
}

}  // namespace uotbench::simt::tests
