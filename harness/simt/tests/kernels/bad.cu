#include "harness/simt/cooperative.hpp"
#include "harness/simt/cuda.hpp"
#include "harness/simt/device_array.hpp"
#include "harness/simt/tensor.hpp"
#include "harness/simt/tests/kernels/kernels.hpp"

namespace uotbench::simt::tests {
namespace {

constexpr unsigned all_lanes = 0xffffffffu;

template <int border>
__global__ void diverge(float* values) {
  if (static_cast<int>(threadIdx.x) < border) {
    __syncthreads();  // LINE divergent_first
    values[0] = 1;
  } else {
    __syncthreads();  // LINE divergent_second
    values[1] = 2;
  }
}

__global__ void mix_barriers(int* values) {
  if (threadIdx.x < 32)
    values[0] = __syncthreads_count(1);  // LINE mixed_first
  else
    values[1] = __syncthreads_or(1);
}

__global__ void part_ways(int* values) {
  if (threadIdx.x == 39) {
    __syncthreads();  // LINE parted_barrier
  } else {
    values[threadIdx.x] = __shfl_down_sync(all_lanes, values[threadIdx.x], 1);  // LINE parted_shuffle
    __syncthreads();
  }
}

__global__ void disagree_on_mask(int* values) {
  const unsigned mask = threadIdx.x < 16 ? all_lanes : 0xffff00ffu;
  values[threadIdx.x] = __shfl_xor_sync(mask, values[threadIdx.x], 1);  // LINE two_masks
}

__global__ void disagree_on_collective(int* values) {
  if (threadIdx.x % 2 == 0)
    values[threadIdx.x] = __any_sync(all_lanes, 1);  // LINE two_collectives
  else
    values[threadIdx.x] = __all_sync(all_lanes, 1);
}

__global__ void multiply_by_half_a_warp(int* values) {
  if (threadIdx.x >= 16) return;
  float c[4] = {};
  const unsigned a[4] = {}, b[2] = {};
  mma_bf16(c, a, b);  // LINE half_a_warp
  values[threadIdx.x] = static_cast<int>(c[0]);
}

__global__ void stand_outside(int* values) {
  values[threadIdx.x] = __shfl_sync(0x0000ffffu, values[threadIdx.x], 0);  // LINE not_in_mask
}

__global__ void read_ended(int* values) {
  if (threadIdx.x == 5) return;
  values[threadIdx.x] = __shfl_sync(all_lanes, values[threadIdx.x], 5);  // LINE ended
}

__global__ void read_outside(int* values) {
  if (threadIdx.x < 8) values[threadIdx.x] = __shfl_sync(0xffu, values[threadIdx.x], 9);  // LINE outside
  __syncthreads();
}

__global__ void read_missing(int* values) {
  values[threadIdx.x] = __shfl_down_sync(all_lanes, values[threadIdx.x], 16);  // LINE missing
}

__global__ void shuffle_in_threes(int* values) {
  values[threadIdx.x] = __shfl_sync(all_lanes, values[threadIdx.x], 0, 3);  // LINE width
}

__global__ void synchronise_grid() {
  cooperative_groups::this_grid().sync();  // LINE grid_sync
}

__global__ void wait_with_atomics(int* flag) {
  if (threadIdx.x == 0)
    while (atomicAdd(flag, 0) == 0) {  // LINE atomic_wait
    }
  else
    atomicExch(flag, 1);
}

__global__ void wait_with_volatile(int* flag) {
  volatile int* const seen = flag;
  if (threadIdx.x == 0)
    while (*seen == 0) {  // LINE volatile_wait
    }
  else
    *seen = 1;
}

__global__ void loop(int* values) {
  volatile int turns = 0;
  while (turns == values[0]) turns = 0;
  values[1] = 1;
}

__device__ __noinline__ int depth(volatile int* values, int n) {
  volatile int local[16];
  local[n % 16] = n;
  return values[0] == 7 ? n : depth(values, n + 1) + local[n % 16];
}
__global__ void recurse(int* values) { values[1] = depth(values, 0); }

__global__ void keep_large_array(int* values) {
  volatile int local[100000];
  for (int i = 0; i < 100000; ++i) local[i] = i;
  values[0] = local[values[1] & 0xffff];
}

__global__ void write_to(int* address) {
  address[threadIdx.x] = 1;  // LINE null
}

__global__ void write_past(int count) {
  UOTBENCH_DYNAMIC_SHARED(int, shared);
  for (int i = 0; i < count; ++i) shared[i] = i;  // LINE past_shared
}

__global__ void divide(int* values, int by) {
  values[0] = values[1] / by;  // LINE division
}

__global__ void give_up() {
  if (threadIdx.y == 1 && threadIdx.x == 3) __trap();  // LINE trap
}

__global__ void copy_three_bytes(char* values) {
  __shared__ char copied[16];
  __pipeline_memcpy_async(copied, values, 3);  // LINE odd_copy
  __pipeline_commit();
  __pipeline_wait_prior(0);
  values[0] = copied[1];
}

__global__ void use_before_wait(float* values) {
  __shared__ float copied[32];
  copied[threadIdx.x] = 0;
  __pipeline_memcpy_async(&copied[threadIdx.x], &values[threadIdx.x], sizeof(float));
  __pipeline_commit();
  __syncthreads();
  const float sum = copied[threadIdx.x] + copied[(threadIdx.x + 1) % 32];
  __pipeline_wait_prior(0);
  values[threadIdx.x] = sum;
}

__global__ void nothing() {}

__global__ void launch_another() { launch(nothing, 1, 1, 0, nullptr); }

__global__ void fail_in(int thread) {
  const int mine = static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  if (blockIdx.x == 1 && mine == thread) __trap();
}

template <class... Parameters>
void run_on_zeros(void (*kernel)(int*, Parameters...), int threads, Parameters... parameters) {
  DeviceArray<int> values(128);
  values.zero();
  launch(kernel, 1, static_cast<unsigned>(threads), 0, nullptr, values.data(), parameters...);
}

}  // namespace

void divergent_barrier() {
  DeviceArray<float> values(2);
  launch(diverge<16>, 1, 64, 0, nullptr, values.data());
}
void mixed_barriers() { run_on_zeros(mix_barriers, 64); }
void barrier_in_place_of_shuffle() { run_on_zeros(part_ways, 64); }
void two_masks() { run_on_zeros(disagree_on_mask, 32); }
void two_collectives() { run_on_zeros(disagree_on_collective, 32); }
void tensor_core_of_half_a_warp() { run_on_zeros(multiply_by_half_a_warp, 32); }
void lane_not_in_mask() { run_on_zeros(stand_outside, 32); }
void shuffle_from_ended_lane() { run_on_zeros(read_ended, 32); }
void shuffle_from_lane_outside_mask() { run_on_zeros(read_outside, 32); }
void shuffle_from_missing_lane() { run_on_zeros(read_missing, 20); }
void shuffle_width_of_three() { run_on_zeros(shuffle_in_threes, 32); }
void grid_sync() { launch(synchronise_grid, 2, 32, 0, nullptr); }
void waits_with_atomics() { run_on_zeros(wait_with_atomics, 2); }
void waits_with_volatile() { run_on_zeros(wait_with_volatile, 2); }
void loops_forever() { run_on_zeros(loop, 1); }
void recurses_forever() { run_on_zeros(recurse, 2); }
void large_array_on_the_stack() { run_on_zeros(keep_large_array, 2); }
void writes_to_null() { launch(write_to, 1, 4, 0, nullptr, static_cast<int*>(nullptr)); }
void writes_past_dynamic_shared() { launch(write_past, 1, 1, 512, nullptr, 129); }
void divides_by_zero() { run_on_zeros(divide, 1, 0); }
void traps() { launch(give_up, 1, dim3(20, 2), 0, nullptr); }
void odd_async_copy() {
  DeviceArray<char> values(16);
  launch(copy_three_bytes, 1, 1, 0, nullptr, values.data());
}
bool unwaited_copy_is_right() {
  std::vector<float> values(32, 1.f);
  DeviceArray<float> array(values);
  launch(use_before_wait, 1, 32, 0, nullptr, array.data());
  array.download(values);
  return values == std::vector<float>(32, 2.f);
}
void launch_empty(unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                  unsigned block_z, std::size_t shared_bytes) {
  launch(nothing, dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared_bytes, nullptr);
}
void launch_with_large_shared(std::size_t bytes) {
  check(
      cudaFuncSetAttribute(write_past, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  launch(write_past, 1, 1, bytes, nullptr, static_cast<int>(bytes / sizeof(int)));
}
void launch_from_a_kernel() { launch(launch_another, 1, 1, 0, nullptr); }
void fails_in_thread(int thread) { launch(fail_in, 2, dim3(4, 3, 5), 0, nullptr, thread); }

}  // namespace uotbench::simt::tests
