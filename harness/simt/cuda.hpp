// The one include of a .cu file: under nvcc the CUDA runtime, under g++ what takes its place, so that the
// same source runs on a GPU and, a thread after another, on the CPU. In addition to CUDA's own words a kernel
// file knows
//   launch(kernel, grid, block, shared_bytes, stream, arguments...)   for <<<...>>>
//   check(cudaError_t)                                                throws what CUDA says
//   UOTBENCH_DYNAMIC_SHARED(T, name)                                  for extern __shared__ T name[]
// On the CPU UOTBENCH_SIMT is defined, kernels run to their end within launch(), and whatever a kernel does
// that none may is thrown there as simt::KernelError.
#pragma once

#ifdef __CUDACC__
#include "harness/simt/runtime/nvcc.hpp"
#else
#include "harness/simt/runtime/atomics.hpp"
#include "harness/simt/runtime/half.hpp"
#include "harness/simt/runtime/launch.hpp"
#include "harness/simt/runtime/math.hpp"
#include "harness/simt/runtime/pipeline.hpp"
#include "harness/simt/runtime/qualifiers.hpp"
#include "harness/simt/runtime/runtime_api.hpp"
#include "harness/simt/runtime/thread_index.hpp"
#include "harness/simt/runtime/vector_types.hpp"
#include "harness/simt/runtime/warp.hpp"
#endif
