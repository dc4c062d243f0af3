// CUDA's qualifiers, as g++ understands them.
#pragma once

#include <memory>  // has the word __noinline__ in it, which is a macro from here on

// Everything that a kernel calls is inlined into it, as nvcc does: its callers are then fibers alone.
#define __global__ __attribute__((flatten, noinline))
#define __device__
#define __host__
// One copy is enough: blocks run one after another, all in one OS thread.
#define __shared__ static thread_local
// A section of its own, so that the executor knows what is constant.
#define __constant__ __attribute__((section("uotbench_constant")))
#define __launch_bounds__(...)
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))  // alignas is refused in the middle of a declaration

// Set where kernels run on the CPU.
#define UOTBENCH_SIMT 1

// Of the shim's own functions: what is not inlined could be the copy of a file that is built otherwise.
#define UOTBENCH_SHIM inline __attribute__((always_inline))
