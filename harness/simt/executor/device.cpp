#include "harness/simt/executor/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "harness/simt/runtime/runtime_api.hpp"

namespace {

using namespace uotbench::simt;

struct Errors {
  cudaError_t last = cudaSuccess;      // for cudaGetLastError
  cudaError_t detailed = cudaSuccess;  // what `detail` is about
  std::string detail, text;
};
Errors& errors() {
  static Errors one;
  return one;
}

std::map<const void*, std::size_t>& requests() {
  static std::map<const void*, std::size_t> bytes;
  return bytes;
}

const char* words(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorInvalidSymbol:
      return "invalid device symbol";
    case cudaErrorInvalidDevicePointer:
      return "invalid device pointer";
    case cudaErrorInvalidMemcpyDirection:
      return "invalid copy direction for memcpy";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    case cudaErrorNotSupported:
      return "operation not supported";
  }
  return "unrecognized error code";
}

cudaError_t expect_device(int device) {
  if (device == 0) return cudaSuccess;
  return note(cudaErrorInvalidDevice, fmt::format("device {}; there is only 0, the CPU executor", device));
}

}  // namespace

namespace uotbench::simt {

cudaError_t note(cudaError_t error, std::string detail) {
  errors().last = errors().detailed = error;
  errors().detail = std::move(detail);
  return error;
}

std::size_t shared_limit(const void* kernel) {
  const auto at = requests().find(kernel);
  return at == requests().end() ? DeviceLimits::shared : at->second;
}

cudaError_t set_function_attribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;  // a hint
  if (value < 0 || static_cast<std::size_t>(value) > DeviceLimits::shared_by_request)
    return note(cudaErrorInvalidValue, fmt::format("{} bytes of dynamic shared memory; expected 0 to {}",
                                                   value, DeviceLimits::shared_by_request));
  requests()[kernel] = std::max(static_cast<std::size_t>(value), DeviceLimits::shared);
  return cudaSuccess;
}

cudaError_t active_blocks(int* blocks, const void*, int block, std::size_t shared_bytes) {
  using Limit = DeviceLimits;
  if (block <= 0) return note(cudaErrorInvalidValue, fmt::format("a block of {} threads", block));
  if (static_cast<unsigned>(block) > Limit::block_threads || shared_bytes > Limit::shared_by_request) {
    *blocks = 0;
    return cudaSuccess;
  }
  const int warps = (block + Limit::warp - 1) / Limit::warp;
  const int by_threads = Limit::multiprocessor_threads / (warps * Limit::warp);
  const int by_shared =
      static_cast<int>(Limit::multiprocessor_shared / (shared_bytes + Limit::reserved_shared));
  *blocks = std::min({by_threads, by_shared, Limit::multiprocessor_blocks});
  return cudaSuccess;
}

cudaError_t refuse_cooperative_launch() {
  return note(cudaErrorNotSupported,
              "cooperative launches: blocks run one after another here, so that none can wait for another");
}

}  // namespace uotbench::simt

namespace uotbench {

void check(cudaError_t error, std::source_location where) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(
      fmt::format("{}:{}: CUDA: {}", where.file_name(), where.line(), cudaGetErrorString(error)));
}

}  // namespace uotbench

const char* cudaGetErrorString(cudaError_t error) {
  Errors& all = errors();
  if (error != all.detailed || all.detail.empty()) return words(error);
  all.text = fmt::format("{} ({})", words(error), all.detail);
  return all.text.c_str();
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidSymbol:
      return "cudaErrorInvalidSymbol";
    case cudaErrorInvalidDevicePointer:
      return "cudaErrorInvalidDevicePointer";
    case cudaErrorInvalidMemcpyDirection:
      return "cudaErrorInvalidMemcpyDirection";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
    case cudaErrorNotSupported:
      return "cudaErrorNotSupported";
  }
  return "unrecognized error code";
}

cudaError_t cudaGetLastError() { return std::exchange(errors().last, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return errors().last; }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return expect_device(device); }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  using Limit = DeviceLimits;
  if (const cudaError_t error = expect_device(device); error != cudaSuccess) return error;
  *properties = {};
  std::strcpy(properties->name, "CPU executor");
  std::size_t free = 0;
  static_cast<void>(cudaMemGetInfo(&free, &properties->totalGlobalMem));
  properties->sharedMemPerBlock = Limit::shared;
  properties->sharedMemPerBlockOptin = Limit::shared_by_request;
  properties->sharedMemPerMultiprocessor = Limit::multiprocessor_shared;
  properties->reservedSharedMemPerBlock = Limit::reserved_shared;
  properties->totalConstMem = Limit::constant;
  properties->regsPerBlock = properties->regsPerMultiprocessor = Limit::registers;
  properties->warpSize = Limit::warp;
  properties->maxThreadsPerBlock = Limit::block_threads;
  properties->maxThreadsDim[0] = Limit::block_x;
  properties->maxThreadsDim[1] = Limit::block_y;
  properties->maxThreadsDim[2] = Limit::block_z;
  properties->maxGridSize[0] = Limit::grid_x;
  properties->maxGridSize[1] = Limit::grid_y;
  properties->maxGridSize[2] = Limit::grid_z;
  properties->major = 9;
  properties->multiProcessorCount = Limit::multiprocessors;
  properties->l2CacheSize = Limit::l2;
  properties->maxThreadsPerMultiProcessor = Limit::multiprocessor_threads;
  properties->maxBlocksPerMultiProcessor = Limit::multiprocessor_blocks;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  using Limit = DeviceLimits;
  if (const cudaError_t error = expect_device(device); error != cudaSuccess) return error;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = Limit::block_threads;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = Limit::shared;
      return cudaSuccess;
    case cudaDevAttrWarpSize:
      *value = Limit::warp;
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = Limit::multiprocessors;
      return cudaSuccess;
    case cudaDevAttrL2CacheSize:
      *value = Limit::l2;
      return cudaSuccess;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = Limit::multiprocessor_threads;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
      *value = 9;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
    case cudaDevAttrCooperativeLaunch:
      *value = 0;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = Limit::multiprocessor_shared;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = Limit::shared_by_request;
      return cudaSuccess;
  }
  return note(cudaErrorInvalidValue, fmt::format("device attribute {}, which the CPU executor does not know",
                                                 static_cast<int>(attribute)));
}

// Everything is done when a call returns, so that streams and events have nothing to keep.
namespace {
template <class T>
cudaError_t make(T** handle) {
  *handle = reinterpret_cast<T*>(new char);
  return cudaSuccess;
}
template <class T>
cudaError_t end(T* handle) {
  delete reinterpret_cast<char*>(handle);
  return cudaSuccess;
}
}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return make(stream); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return make(stream); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return end(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t* event) { return make(event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return make(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return end(event); }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t) {
  return note(cudaErrorNotSupported,
              "times of events: how long a kernel takes on the CPU executor says nothing");
}
