// Cooperative groups: CUDA's under nvcc. On the CPU a block can be synchronised; a grid cannot, as blocks run
// one after another, and a kernel that tries ends with an error that says so.
#pragma once

#include "harness/simt/cuda.hpp"

#ifdef __CUDACC__
#include <cooperative_groups.h>
#else

namespace uotbench::simt {
[[noreturn]] void refuse_grid_sync(std::source_location where);
}

namespace cooperative_groups {

struct thread_block {
  UOTBENCH_SHIM void sync(std::source_location where = std::source_location::current()) const {
    __syncthreads(where);
  }
  UOTBENCH_SHIM unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
  UOTBENCH_SHIM unsigned thread_rank() const {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
};
struct grid_group {
  [[noreturn]] UOTBENCH_SHIM void sync(std::source_location where = std::source_location::current()) const {
    uotbench::simt::refuse_grid_sync(where);
  }
  UOTBENCH_SHIM bool is_valid() const { return false; }
};
UOTBENCH_SHIM thread_block this_thread_block() { return {}; }
UOTBENCH_SHIM grid_group this_grid() { return {}; }

}  // namespace cooperative_groups
#endif
