// threadIdx, blockIdx, blockDim, gridDim, warpSize, and dynamic shared memory.
#pragma once

#include "harness/simt/runtime/vector_types.hpp"

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
