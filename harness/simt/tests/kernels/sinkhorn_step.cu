#include <limits>

#include "harness/simt/cuda.hpp"
#include "harness/simt/device_array.hpp"
#include "harness/simt/tests/kernels/kernels.hpp"

namespace uotbench::simt::tests {
namespace {

constexpr int warp_size = 32;
constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

template <StepFault fault>
__device__ __forceinline__ float of_lane(float value, int apart) {
  if constexpr (fault == StepFault::old_arguments)
    return __shfl_xor_sync(value, apart, /*mask=*/0xffffffff, /*width=*/warp_size);  // LINE old_arguments
  else
    return __shfl_xor_sync(0xffffffff, value, apart, warp_size);  // LINE shuffle
}

template <StepFault fault>
__device__ __forceinline__ void reduce(float& max, float& sumexp) {
  for (int apart = 1; apart < warp_size; apart *= 2) {
    const float o_max = of_lane<fault>(max, apart), o_sumexp = of_lane<fault>(sumexp, apart);
    if (o_max > max) {
      sumexp *= expf(max - o_max);
      sumexp += o_sumexp;
      max = o_max;
    } else if (max != minus_infinity) {
      sumexp += o_sumexp * expf(o_max - max);
    }
  }
}

template <StepFault fault>
__global__ void sinkstep(float* log_v, const float* dist, const float* log_nu, const float* log_u,
                         float lambda, int M, int N) {
  __shared__ float shared_mem[2 * warp_size];
  const int j = static_cast<int>(blockIdx.x * blockDim.z + threadIdx.z);
  const int tid = static_cast<int>(threadIdx.x), warps = static_cast<int>(blockDim.x) / warp_size;
  float max = minus_infinity, sumexp = 0;
  if (j >= N) return;
  if (log_nu[j] == minus_infinity) {
    if (tid == 0) log_v[j] = minus_infinity;
    return;
  }
  for (int i = tid; i < M; i += static_cast<int>(blockDim.x)) {
    const float oldmax = max, value = -dist[i * N + j] / lambda + log_u[i];
    max = max > value ? max : value;
    if (oldmax == minus_infinity) {
      sumexp = 1;
    } else {
      sumexp *= expf(oldmax - max);
      sumexp += expf(value - max);
    }
  }
  reduce<fault>(max, sumexp);
  __syncthreads();  // LINE first barrier
  if (tid % warp_size == 0) {
    shared_mem[tid / warp_size * 2] = max;  // LINE store
    shared_mem[tid / warp_size * 2 + 1] = sumexp;
  }
  if constexpr (fault != StepFault::no_barrier) __syncthreads();  // LINE barrier
  if constexpr (fault == StepFault::mask_of_all_lanes) {
    if (tid >= warps) return;
  }
  if (tid < warp_size) {
    max = tid < warps ? shared_mem[2 * tid] : minus_infinity;  // LINE load
    sumexp = tid < warps ? shared_mem[2 * tid + 1] : 0;
  }
  reduce<fault>(max, sumexp);
  if (tid == 0) log_v[j] = max > minus_infinity ? log_nu[j] - logf(sumexp) - max : minus_infinity;
}

}  // namespace

std::vector<float> sinkhorn_step(StepFault fault, const std::vector<float>& dist,
                                 const std::vector<float>& log_nu, const std::vector<float>& log_u,
                                 unsigned x, unsigned z) {
  constexpr auto kernel_of = [](StepFault wanted) {
    switch (wanted) {
      case StepFault::old_arguments:
        return sinkstep<StepFault::old_arguments>;
      case StepFault::no_barrier:
        return sinkstep<StepFault::no_barrier>;
      case StepFault::mask_of_all_lanes:
        return sinkstep<StepFault::mask_of_all_lanes>;
      default:
        return sinkstep<StepFault::none_more>;
    }
  };
  const auto M = static_cast<int>(log_u.size()), N = static_cast<int>(log_nu.size());
  const DeviceArray<float> costs(dist), nu(log_nu), u(log_u);
  DeviceArray<float> v(log_nu.size());
  launch(kernel_of(fault), dim3((static_cast<unsigned>(N) + z - 1) / z), dim3(x, 1, z), 0, nullptr, v.data(),
         costs.data(), nu.data(), u.data(), .5f, M, N);
  std::vector<float> log_v(log_nu.size());
  v.download(log_v);
  return log_v;
}

}  // namespace uotbench::simt::tests
