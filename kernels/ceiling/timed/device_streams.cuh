// What the kernels that move a GPU's memory have in common.
#pragma once

#include <cstring>

#include "harness/simt/cuda.hpp"
#include "harness/simt/device_array.hpp"
#include "kernels/ceiling/problem.hpp"
#include "kernels/ceiling/shared/passes.hpp"

namespace uotbench::ceiling {

inline constexpr unsigned stream_threads = 512;

/// Of this thread's share of an array that a grid strides over.
__device__ __forceinline__ std::size_t first_of() {
  return std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ std::size_t stride_of() { return std::size_t(gridDim.x) * blockDim.x; }

/// The number of blocks that fills the multiprocessors four times over (2048 threads each), or n elements.
inline dim3 whole_grid(std::size_t n) {
  int device = 0, processors = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  const std::size_t most = 4 * static_cast<std::size_t>(processors) * (2048 / stream_threads);
  return dim3(
      static_cast<unsigned>(std::clamp<std::size_t>((n + stream_threads - 1) / stream_threads, 1, most)));
}

/// As vectors of 16 bytes, the last one filled up with zeroes.
template <class Vector>
std::vector<Vector> in_fours(std::span<const float> x) {
  std::vector<Vector> fours((x.size() + 3) / 4, Vector{});
  std::memcpy(fours.data(), x.data(), x.size_bytes());
  return fours;
}
inline DeviceArray<float4> padded(std::span<const float> x) {
  return DeviceArray<float4>(in_fours<float4>(x));
}
inline DeviceArray<uint4> padded_words(std::span<const float> x) {
  return DeviceArray<uint4>(in_fours<uint4>(x));
}

/// For VariantSpec::refuse: bytes are bytes.
inline std::string f32_alone(const Point& at) {
  return at.text("dtype") == "f32" ? "" : "moves bytes, of whatever type: dtype must be f32";
}

/// Arrays that an iteration reads and writes.
struct DevicePass {
  int arrays = 1, reads = 0, writes = 0;
};
inline Work device_work(const DevicePass& pass, const Point& at) {
  const double array = 4 * at.number("N");
  return {.bytes_read = pass.reads * array,
          .bytes_written = pass.writes * array,
          .working_set = pass.arrays * array};
}

}  // namespace uotbench::ceiling
