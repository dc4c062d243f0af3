// What is called for every cell has to be inlined everywhere: into vector loops, and into kernels of a GPU.
#pragma once

#ifdef __CUDACC__
#define UOTBENCH_CELLWISE __host__ __device__ __forceinline__
#else
#define UOTBENCH_CELLWISE __attribute__((always_inline)) inline
#endif
