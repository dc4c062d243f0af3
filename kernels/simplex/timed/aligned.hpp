// Vectors that begin at a cache line, so that no register's worth of them is in two. The oracle has no
// arena for kernels' buffers, and uses these headers, too.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace uotbench::simplex {

template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, line); }
  bool operator==(const LineAllocator&) const { return true; }
};

template <class T>
using Lines = std::vector<T, LineAllocator<T>>;

}  // namespace uotbench::simplex
