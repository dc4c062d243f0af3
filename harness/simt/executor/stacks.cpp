#include "harness/simt/executor/stacks.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <new>

namespace uotbench::simt {

Stacks::~Stacks() { release(); }

void Stacks::release() {
  if (memory_) ::munmap(reinterpret_cast<void*>(memory_), count_ * stride());
  memory_ = count_ = 0;
}

void Stacks::provide(std::size_t count, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t size = std::max((bytes + page - 1) / page * page, 4 * page);
  if (count <= count_ && size == size_) return;
  release();
  size_ = size;
  guard_ = 4 * page;
  const std::size_t wanted = std::bit_ceil(std::max<std::size_t>(count, 32));
  void* const memory = ::mmap(nullptr, wanted * stride(), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = reinterpret_cast<std::uintptr_t>(memory);
  count_ = wanted;
  for (std::size_t i = 0; i < count_; ++i)
    if (::mprotect(reinterpret_cast<void*>(memory_ + i * stride()), guard_, PROT_NONE) != 0) {
      release();
      throw std::bad_alloc();
    }
}

void* Stacks::top(std::size_t number) const {
  // Not all at the same place of a page, or they would fight for the same lines of a cache.
  const std::size_t shift = number % 32 * 64;
  return reinterpret_cast<void*>(memory_ + (number + 1) * stride() - shift);
}

bool Stacks::guards(std::uintptr_t address) const {
  return span().holds(address) && (address - memory_) % stride() < guard_;
}

}  // namespace uotbench::simt
