// A block's dynamic shared memory, with a page behind it that must not be touched.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>

#include "harness/simt/executor/device.hpp"

namespace uotbench::simt {

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
