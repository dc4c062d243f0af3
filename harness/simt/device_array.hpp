// An array in the device's memory; the same source for a GPU and for the executor that takes its place.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "harness/simt/cuda.hpp"
#include "harness/simt/device_memory.hpp"

namespace uotbench {

template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceArray() = default;
  /// Of elements that were never written. Throws std::runtime_error with the bytes asked for when there is no
  /// memory.
  explicit DeviceArray(std::size_t count) : size_(count) {
    if (count == 0) return;
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
      throw std::runtime_error("device array of " + std::to_string(count) + " elements of " +
                               std::to_string(sizeof(T)) + " bytes: more than can be addressed");
    if (const cudaError_t error = cudaMalloc(&data_, bytes()); error != cudaSuccess) {
      const std::string reason = cudaGetErrorString(error);
      static_cast<void>(cudaGetLastError());  // or the next call would answer with it
      throw std::runtime_error("device array of " + std::to_string(bytes()) + " bytes: " + reason);
    }
    DeviceMemory::take(bytes());
  }
  explicit DeviceArray(std::span<const T> values) : DeviceArray(values.size()) { upload(values); }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~DeviceArray() {
    if (!data_) return;
    static_cast<void>(cudaFree(data_));
    DeviceMemory::give_back(bytes());
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  /// All of it. Throws std::runtime_error where the sizes differ, or as check() does.
  void upload(std::span<const T> from) {
    expect(from.size());
    if (size_ > 0) check(cudaMemcpy(data_, from.data(), bytes(), cudaMemcpyHostToDevice));
  }
  void download(std::span<T> to) const {
    expect(to.size());
    if (size_ > 0) check(cudaMemcpy(to.data(), data_, bytes(), cudaMemcpyDeviceToHost));
  }
  /// All bits 0.
  void zero() {
    if (size_ > 0) check(cudaMemset(data_, 0, bytes()));
  }

 private:
  void expect(std::size_t count) const {
    if (count != size_)
      throw std::runtime_error("copy of " + std::to_string(count) +
                               " elements to or from a device array of " + std::to_string(size_));
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace uotbench
