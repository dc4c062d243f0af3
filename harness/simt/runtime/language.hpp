// The words of CUDA's language, as g++ understands them: qualifiers, vector types, and which thread this is.
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

// Vector types, with CUDA's alignments (CUDA C++ Programming Guide, built-in vector types).

#define UOTBENCH_VECTORS(T, NAME, ALIGN2, ALIGN4)                                     \
  struct NAME##1 {                                                                    \
    T x;                                                                              \
  };                                                                                  \
  struct alignas(ALIGN2) NAME##2 {                                                    \
    T x, y;                                                                           \
  };                                                                                  \
  struct NAME##3 {                                                                    \
    T x, y, z;                                                                        \
  };                                                                                  \
  struct alignas(ALIGN4) NAME##4 {                                                    \
    T x, y, z, w;                                                                     \
  };                                                                                  \
  constexpr UOTBENCH_SHIM NAME##1 make_##NAME##1(T x) { return {x}; }                 \
  constexpr UOTBENCH_SHIM NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }         \
  constexpr UOTBENCH_SHIM NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; } \
  constexpr UOTBENCH_SHIM NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }

UOTBENCH_VECTORS(signed char, char, 2, 4)
UOTBENCH_VECTORS(unsigned char, uchar, 2, 4)
UOTBENCH_VECTORS(short, short, 4, 8)
UOTBENCH_VECTORS(unsigned short, ushort, 4, 8)
UOTBENCH_VECTORS(int, int, 8, 16)
UOTBENCH_VECTORS(unsigned, uint, 8, 16)
UOTBENCH_VECTORS(long long, longlong, 16, 16)
UOTBENCH_VECTORS(unsigned long long, ulonglong, 16, 16)
UOTBENCH_VECTORS(float, float, 8, 16)
UOTBENCH_VECTORS(double, double, 16, 16)

#undef UOTBENCH_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// threadIdx, blockIdx, blockDim, gridDim, warpSize, and dynamic shared memory.

namespace uotbench::simt {

// Constant to the compiler, as they are within one run of a kernel; functions, so that no access is seen.
[[gnu::const]] unsigned thread_x() noexcept;
[[gnu::const]] unsigned thread_y() noexcept;
[[gnu::const]] unsigned thread_z() noexcept;
[[gnu::const]] unsigned block_x() noexcept;
[[gnu::const]] unsigned block_y() noexcept;
[[gnu::const]] unsigned block_z() noexcept;
[[gnu::const]] unsigned block_size_x() noexcept;
[[gnu::const]] unsigned block_size_y() noexcept;
[[gnu::const]] unsigned block_size_z() noexcept;
[[gnu::const]] unsigned grid_size_x() noexcept;
[[gnu::const]] unsigned grid_size_y() noexcept;
[[gnu::const]] unsigned grid_size_z() noexcept;
[[gnu::const]] void* dynamic_shared() noexcept;

UOTBENCH_SHIM uint3 thread_index() noexcept { return {thread_x(), thread_y(), thread_z()}; }
UOTBENCH_SHIM uint3 block_index() noexcept { return {block_x(), block_y(), block_z()}; }
UOTBENCH_SHIM dim3 block_size() noexcept { return {block_size_x(), block_size_y(), block_size_z()}; }
UOTBENCH_SHIM dim3 grid_size() noexcept { return {grid_size_x(), grid_size_y(), grid_size_z()}; }

}  // namespace uotbench::simt

#define threadIdx (::uotbench::simt::thread_index())
#define blockIdx (::uotbench::simt::block_index())
#define blockDim (::uotbench::simt::block_size())
#define gridDim (::uotbench::simt::grid_size())
constexpr int warpSize = 32;

// Dynamic shared memory as an array of T, aligned to 16 bytes, in the kernel's first lines.
#define UOTBENCH_DYNAMIC_SHARED(T, name) T* const name = static_cast<T*>(::uotbench::simt::dynamic_shared())
