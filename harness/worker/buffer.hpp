// Private memory for a kernel: 2 MiB aligned, huge pages asked for, not touched until the kernel does
// (so that pages land with the thread that uses them).
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "harness/worker/base/arena.hpp"

namespace uotbench {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;
inline constexpr std::size_t cache_line = 64;

/// `size` uninitialised elements. Throws std::bad_alloc.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Buffer(std::size_t size) : size_(size) {
    const std::size_t bytes = size * sizeof(T);
    const std::size_t alignment = bytes >= huge_page ? huge_page : cache_line;
    const std::size_t whole = (bytes + alignment) / alignment * alignment;  // never zero
    data_.reset(static_cast<T*>(take_memory(whole, alignment)));
    if (!data_) throw std::bad_alloc();
    if (alignment == huge_page) ::madvise(data_.get(), whole, MADV_HUGEPAGE);
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  std::span<const T> view() const { return {data(), size_}; }

 private:
  struct Free {
    void operator()(T* data) const { give_back(data); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_;
};

}  // namespace uotbench
