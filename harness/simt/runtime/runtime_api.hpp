// The part of the CUDA runtime API that kernels' host code uses. The device pretends to be one of compute
// capability 9.0; its memory is the host's, streams keep no order of their own since everything is done when
// a call returns, and events have no time.
#pragma once

#include <array>
#include <cstddef>
#include <source_location>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "harness/simt/runtime/language.hpp"

// The numbers are CUDA's.
enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInvalidDevice = 101,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801
};
enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};

struct cudaDeviceProp {
  char name[256];
  std::size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, sharedMemPerMultiprocessor,
      sharedMemPerBlockOptin, reservedSharedMemPerBlock;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], major, minor,
      multiProcessorCount, l2CacheSize, maxThreadsPerMultiProcessor, regsPerMultiprocessor,
      maxBlocksPerMultiProcessor, cooperativeLaunch, ECCEnabled;
};

struct CUstream_st;
struct CUevent_st;
using cudaStream_t = CUstream_st*;
using cudaEvent_t = CUevent_st*;
constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
constexpr unsigned cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2;

/// CUDA's words, and after them what was wrong this time, where `error` is the last.
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);
/// The last error, which is forgotten by the first of them.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize();

/// Memory is not zero, but all bytes 0xff, which are NaNs: kernels must not rely on what a GPU does not
/// promise.
cudaError_t cudaMalloc(void** memory, std::size_t bytes);
cudaError_t cudaFree(void* memory);
cudaError_t cudaMallocHost(void** memory, std::size_t bytes);
cudaError_t cudaFreeHost(void* memory);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
/// `rows` rows of `bytes` bytes, that many bytes apart.
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t bytes, std::size_t rows, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* to, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream = nullptr);
template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(memory), bytes);
}
template <class T>
cudaError_t cudaMallocHost(T** memory, std::size_t bytes) {
  return cudaMallocHost(reinterpret_cast<void**>(memory), bytes);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
/// cudaErrorNotSupported: how long a kernel takes here says nothing.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);

namespace uotbench::simt {
cudaError_t copy_to_symbol(void* symbol, std::size_t size, const void* from, std::size_t bytes,
                           std::size_t offset, cudaMemcpyKind kind);
cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t size, std::size_t bytes,
                             std::size_t offset, cudaMemcpyKind kind);
cudaError_t set_function_attribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t active_blocks(int* blocks, const void* kernel, int block, std::size_t shared_bytes);
cudaError_t refuse_cooperative_launch();
}  // namespace uotbench::simt

// A symbol is a __device__ or __constant__ variable.
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return uotbench::simt::copy_to_symbol(&symbol, sizeof symbol, from, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return uotbench::simt::copy_to_symbol(&symbol, sizeof symbol, from, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return uotbench::simt::copy_from_symbol(to, &symbol, sizeof symbol, bytes, offset, kind);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** address, T& symbol) {
  *address = const_cast<std::remove_cv_t<T>*>(&symbol);
  return cudaSuccess;
}

template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
  return uotbench::simt::set_function_attribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
/// An estimate by threads, dynamic shared memory and the number of blocks alone: neither registers nor
/// __shared__ arrays are known here.
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int block,
                                                          std::size_t shared_bytes) {
  return uotbench::simt::active_blocks(blocks, reinterpret_cast<const void*>(kernel), block, shared_bytes);
}
/// Refused: blocks run one after another, so that none can wait for another.
template <class Kernel>
cudaError_t cudaLaunchCooperativeKernel(Kernel*, dim3, dim3, void**, std::size_t = 0,
                                        cudaStream_t = nullptr) {
  return uotbench::simt::refuse_cooperative_launch();
}

// Launches of kernels on the CPU: what a kernel did that none may, and the check of what the host API
// answers.

namespace uotbench::simt {

class KernelError : public std::runtime_error {
 public:
  struct Site {
    std::string kernel;               ///< "part2<float, 8>"
    std::string at;                   ///< FILE:LINE; empty where there is none (a launch is refused)
    std::array<unsigned, 3> block{};  ///< x, y, z
    std::vector<int> threads;         ///< by their linear index in the block; empty: the launch itself
  };
  /// `text`: the whole line, with all of the site in it.
  KernelError(const std::string& text, Site site) : std::runtime_error(text), site_(std::move(site)) {}
  const Site& site() const { return site_; }

 private:
  Site site_;
};

/// A kernel with its arguments.
struct Call {
  const void* kernel;        ///< its function
  void (*run)(const void*);  ///< calls it with `arguments`
  const void* arguments;
  std::size_t size;  ///< bytes of `arguments`
};
/// Runs all blocks. Throws KernelError.
void run_grid(const Call& call, dim3 grid, dim3 block, std::size_t shared_bytes);

}  // namespace uotbench::simt

namespace uotbench {

/// Throws std::runtime_error with the API's words and the place of the call, unless it went well.
void check(cudaError_t error, std::source_location where = std::source_location::current());

/// kernel<<<grid, block, shared_bytes, stream>>>(arguments...), to its end. Throws simt::KernelError.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t,
            Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                "expected one argument for each parameter of the kernel");
  struct Bound {
    void (*kernel)(Parameters...);
    std::tuple<Parameters...> arguments;
  };
  const Bound bound{kernel, {static_cast<Parameters>(arguments)...}};
  const auto run = [](const void* call) {
    const Bound& bound = *static_cast<const Bound*>(call);
    std::apply(bound.kernel, bound.arguments);
  };
  simt::run_grid({reinterpret_cast<const void*>(kernel), run, &bound, sizeof bound}, grid, block,
                 shared_bytes);
}

}  // namespace uotbench
