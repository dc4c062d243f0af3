// Memory of a grid's threads: their stacks, and their blocks' shared memory.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>

#include "harness/simt/executor/device.hpp"
#include "harness/trace/warps/warps.hpp"

namespace uotbench::simt {

// Stacks of fibers, each with a page below it that must not be touched.

class Stacks {
 public:
  Stacks() = default;
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  /// At least `count` stacks of at least `bytes`; what is there stays where it fits. Throws std::bad_alloc.
  void provide(std::size_t count, std::size_t bytes);
  void* top(std::size_t number) const;
  std::size_t size() const { return size_; }  ///< bytes of one
  trace::Span span() const { return {memory_, memory_ + count_ * stride()}; }
  /// Whether it is one of the pages that must not be touched.
  bool guards(std::uintptr_t address) const;
  std::size_t guard() const { return guard_; }

 private:
  std::size_t stride() const { return size_ + guard_; }
  void release();

  std::uintptr_t memory_ = 0;
  std::size_t count_ = 0, size_ = 0, guard_ = 0;
};

// A block's dynamic shared memory, with a page behind it that must not be touched.

class SharedMemory {
 public:
  SharedMemory() = default;
  ~SharedMemory() {
    if (memory_) ::munmap(memory_, size + guard);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// That number of bytes, right before that page but for what makes them begin at one of the 32 banks'
  /// first. Throws std::bad_alloc.
  void* end_with(std::size_t bytes) {
    if (!memory_) {
      void* const memory =
          ::mmap(nullptr, size + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) throw std::bad_alloc();
      memory_ = static_cast<char*>(memory);
      if (::mprotect(memory_ + size, guard, PROT_NONE) != 0) throw std::bad_alloc();
    }
    return memory_ + size - (bytes + 127) / 128 * 128;
  }

 private:
  static constexpr std::size_t guard = 64 * 1024;  // a page, whatever size pages have
  static constexpr std::size_t size = 256 * 1024;
  static_assert(size >= DeviceLimits::shared_by_request);
  char* memory_ = nullptr;
};

}  // namespace uotbench::simt
