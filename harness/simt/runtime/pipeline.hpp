// Asynchronous copies from global to shared memory (CUDA's cuda_pipeline_primitives.h). The form they have
// here: a copy happens when it is waited for and not before, so that a wait that is missing, or a barrier
// after it, is seen. A copy without a wait never happens.
#pragma once

#include <cstddef>
#include <source_location>

#include "harness/simt/runtime/qualifiers.hpp"

namespace uotbench::simt {

void copy_async(void* to, const void* from, std::size_t size, std::size_t zeros, std::source_location where);
void commit_copies();
/// Makes all copies of this thread but those of its `newest` last commits, and of no commit.
void wait_for_copies(std::size_t newest);

}  // namespace uotbench::simt

/// `size` is 4, 8 or 16 bytes, to which both are aligned; the last `zeros` of them are filled with 0.
UOTBENCH_SHIM void __pipeline_memcpy_async(void* to, const void* from, std::size_t size,
                                           std::size_t zeros = 0,
                                           std::source_location where = std::source_location::current()) {
  uotbench::simt::copy_async(to, from, size, zeros, where);
  asm volatile("");
}
UOTBENCH_SHIM void __pipeline_commit() { uotbench::simt::commit_copies(); }
UOTBENCH_SHIM void __pipeline_wait_prior(std::size_t newest) {
  uotbench::simt::wait_for_copies(newest);
  asm volatile("");
}
