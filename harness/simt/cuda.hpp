// The one include of a .cu file: under nvcc the CUDA runtime, under g++ what takes its place, so that the
// same source runs on a GPU and, a thread after another, on the CPU. In addition to CUDA's own words a kernel
// file knows
//   launch(kernel, grid, block, shared_bytes, stream, arguments...)   for <<<...>>>
//   check(cudaError_t)                                                throws what CUDA says
//   UOTBENCH_DYNAMIC_SHARED(T, name)                                  for extern __shared__ T name[]
// On the CPU UOTBENCH_SIMT is defined, kernels run to their end within launch(), and whatever a kernel does
// that none may is thrown there as simt::KernelError.
#pragma once

#ifdef __CUDACC__

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <source_location>
#include <stdexcept>
#include <string>
#include <tuple>

// Dynamic shared memory as an array of T, aligned to 16 bytes, in the kernel's first lines.
#define UOTBENCH_DYNAMIC_SHARED(T, name)                                   \
  extern __shared__ __align__(16) unsigned char uotbench_dynamic_shared[]; \
  T* const name = reinterpret_cast<T*>(uotbench_dynamic_shared)

namespace uotbench {

/// Throws std::runtime_error with CUDA's words and the place of the call, unless it went well.
inline void check(cudaError_t error, std::source_location where = std::source_location::current()) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(where.file_name()) + ":" + std::to_string(where.line()) +
                           ": CUDA: " + cudaGetErrorString(error));
}

/// kernel<<<grid, block, shared_bytes, stream>>>(arguments...). Throws std::runtime_error where CUDA refuses
/// it.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes,
            cudaStream_t stream, Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                "expected one argument for each parameter of the kernel");
  std::tuple<Parameters...> values(static_cast<Parameters>(arguments)...);
  const cudaError_t error = std::apply(
      [&](auto&... value) {
        void* pointers[] = {const_cast<void*>(static_cast<const void*>(&value))..., nullptr};
        return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers, shared_bytes,
                                stream);
      },
      values);
  if (error == cudaSuccess) return;
  const auto text = [](dim3 size) {
    return std::to_string(size.x) + "x" + std::to_string(size.y) + "x" + std::to_string(size.z);
  };
  throw std::runtime_error("launch of grid " + text(grid) + ", block " + text(block) + ", " +
                           std::to_string(shared_bytes) +
                           " bytes of dynamic shared memory: CUDA: " + cudaGetErrorString(error));
}

}  // namespace uotbench

#else

#include "harness/simt/runtime/atomics.hpp"
#include "harness/simt/runtime/half.hpp"
#include "harness/simt/runtime/language.hpp"
#include "harness/simt/runtime/math.hpp"
#include "harness/simt/runtime/runtime_api.hpp"
#include "harness/simt/runtime/warp.hpp"

#endif
