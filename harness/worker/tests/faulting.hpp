// Page faults to be counted.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

#include "results/base/error.hpp"

namespace uotbench {

/// So many faults: small pages that nobody has touched.
inline void touch_fresh_pages(std::size_t pages) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), bytes = pages * page;
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw Error("no memory");
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < bytes; i += page) static_cast<volatile char*>(memory)[i] = 1;
  ::munmap(memory, bytes);
}

}  // namespace uotbench
