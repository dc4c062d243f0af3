// The device's memory, which is the host's: what was allocated is known, so that copies beyond it are
// refused.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>

#include "harness/simt/executor/device.hpp"
#include "harness/simt/executor/symbols.hpp"

namespace {

using namespace uotbench::simt;

struct Arrays {
  std::map<std::uintptr_t, std::size_t> bytes;  // by where they begin
  std::size_t total = 0;
  Observer* observer = nullptr;

  /// Bytes from `at` to the end of the array, or of the variables, that it is in; 0: in none.
  std::size_t left(const void* at) const {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    auto after = bytes.upper_bound(address);
    if (after != bytes.begin()) {
      const auto& [begin, size] = *--after;
      if (address - begin < size) return size - (address - begin);
    }
    for (const auto& span : variables())
      if (span.holds(address)) return span.end - address;
    const auto constant = constants();
    return constant.holds(address) ? constant.end - address : 0;
  }
};
Arrays& arrays() {
  static Arrays all;
  return all;
}

std::size_t memory_of_machine() {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// Refuses what does not lie in the device's memory.
cudaError_t expect_device(const char* call, const char* what, const void* at, std::size_t bytes) {
  const std::size_t left = arrays().left(at);
  if (left >= bytes) return cudaSuccess;
  if (left == 0)
    return note(cudaErrorInvalidValue,
                fmt::format("{} of {} bytes: {} is not in the device's memory", call, bytes, what));
  return note(cudaErrorInvalidValue,
              fmt::format("{} of {} bytes: {} ends after {} bytes", call, bytes, what, left));
}

}  // namespace

namespace uotbench::simt {

void watch_arrays(Observer* observer) {
  arrays().observer = observer;
  if (!observer) return;
  for (const auto& [begin, bytes] : arrays().bytes)
    observer->add_global(reinterpret_cast<const void*>(begin), bytes);
}

cudaError_t copy_to_symbol(void* symbol, std::size_t size, const void* from, std::size_t bytes,
                           std::size_t offset, cudaMemcpyKind) {
  if (offset > size || bytes > size - offset)
    return note(cudaErrorInvalidValue,
                fmt::format("cudaMemcpyToSymbol of {} bytes at {}, the symbol has {}", bytes, offset, size));
  std::memcpy(static_cast<char*>(symbol) + offset, from, bytes);
  return cudaSuccess;
}

cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t size, std::size_t bytes,
                             std::size_t offset, cudaMemcpyKind) {
  if (offset > size || bytes > size - offset)
    return note(
        cudaErrorInvalidValue,
        fmt::format("cudaMemcpyFromSymbol of {} bytes at {}, the symbol has {}", bytes, offset, size));
  std::memcpy(to, static_cast<const char*>(symbol) + offset, bytes);
  return cudaSuccess;
}

}  // namespace uotbench::simt

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  constexpr std::size_t alignment = 256;  // CUDA's
  const std::size_t whole = memory_of_machine();
  void* const data = bytes <= whole
                         ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                         : nullptr;
  if (!data)
    return note(cudaErrorMemoryAllocation,
                fmt::format("{} bytes asked for, this machine has {} in all", bytes, whole));
  std::memset(data, 0xff, bytes);
  arrays().bytes[reinterpret_cast<std::uintptr_t>(data)] = bytes;
  arrays().total += bytes;
  if (arrays().observer) arrays().observer->add_global(data, bytes);
  *memory = data;
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  if (!memory) return cudaSuccess;
  const auto at = arrays().bytes.find(reinterpret_cast<std::uintptr_t>(memory));
  if (at == arrays().bytes.end())
    return note(cudaErrorInvalidValue, "cudaFree of what cudaMalloc did not give, or that is freed already");
  arrays().total -= at->second;
  arrays().bytes.erase(at);
  if (arrays().observer) arrays().observer->remove_global(memory);
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  return *memory || bytes == 0
             ? cudaSuccess
             : note(cudaErrorMemoryAllocation, fmt::format("{} bytes of host memory", bytes));
}
cudaError_t cudaFreeHost(void* memory) {
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *total = memory_of_machine();
  *free = *total - std::min(*total, arrays().total);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice)
    error = expect_device("cudaMemcpy", "what it writes", to, bytes);
  if (error == cudaSuccess && (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice))
    error = expect_device("cudaMemcpy", "what it reads", from, bytes);
  if (error == cudaSuccess) std::memmove(to, from, bytes);
  return error;
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t bytes, std::size_t rows, cudaMemcpyKind kind) {
  cudaError_t error = cudaSuccess;
  for (std::size_t i = 0; i < rows && error == cudaSuccess; ++i)
    error = cudaMemcpy(static_cast<char*>(to) + i * to_pitch, static_cast<const char*>(from) + i * from_pitch,
                       bytes, kind);
  return error;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  if (bytes == 0) return cudaSuccess;
  const cudaError_t error = expect_device("cudaMemset", "what it writes", to, bytes);
  if (error == cudaSuccess) std::memset(to, value, bytes);
  return error;
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t) {
  return cudaMemset(to, value, bytes);
}
