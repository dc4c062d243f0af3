// Arrays for code that runs inside the callbacks. The standard library's templates are not for it: the linker
// keeps one copy of each for the whole program, and that may be an instrumented one.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>

namespace uotbench::trace {

/// Zeroes, on pages that are taken as they are touched.
template <class T>
class Mapped {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Throws std::bad_alloc.
  explicit Mapped(std::size_t size) : size_(size) { data_ = map(size); }
  ~Mapped() { unmap(); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  T* data() { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

  /// Element i, of an array that is made larger where it is too short. Throws std::bad_alloc.
  T& grown(std::size_t i) {
    if (i >= size_) [[unlikely]] {
      std::size_t larger = size_ > 0 ? size_ : 1;
      while (larger <= i) larger *= 2;
      void* const moved = ::mremap(data_, bytes(size_), bytes(larger), MREMAP_MAYMOVE);
      if (moved == MAP_FAILED) throw std::bad_alloc();
      data_ = static_cast<T*>(moved);
      size_ = larger;
    }
    return data_[i];
  }

 private:
  static std::size_t bytes(std::size_t size) { return size > 0 ? size * sizeof(T) : 1; }
  static T* map(std::size_t size) {
    void* const data = ::mmap(nullptr, bytes(size), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    return static_cast<T*>(data);
  }
  void unmap() { ::munmap(data_, bytes(size_)); }

  T* data_;
  std::size_t size_;
};

}  // namespace uotbench::trace
