// The device that the CPU pretends to be, and what the host API keeps of it.
#pragma once

#include <cstddef>
#include <string>

#include "harness/simt/executor/executor.hpp"
#include "harness/simt/runtime/runtime_api.hpp"

namespace uotbench::simt {

/// Of compute capability 9.0 (CUDA C++ Programming Guide, technical specifications).
struct DeviceLimits {
  static constexpr unsigned block_threads = 1024, block_x = 1024, block_y = 1024, block_z = 64;
  static constexpr unsigned grid_x = 2147483647, grid_y = 65535, grid_z = 65535;
  static constexpr std::size_t shared = 48 * 1024, shared_by_request = 227 * 1024;
  static constexpr std::size_t multiprocessor_shared = 228 * 1024, constant = 64 * 1024;
  /// Taken of every block's share of a multiprocessor's shared memory.
  static constexpr std::size_t reserved_shared = 1024;
  static constexpr int warp = 32, multiprocessors = 132, multiprocessor_threads = 2048,
                       multiprocessor_blocks = 32, registers = 65536, l2 = 50 * 1024 * 1024;
};

/// Bytes of dynamic shared memory that a launch of it may ask for.
std::size_t shared_limit(const void* kernel);
/// Notes what went wrong, for cudaGetErrorString and cudaGetLastError; returns `error`.
cudaError_t note(cudaError_t error, std::string detail);
/// The observer of arrays.
void watch_arrays(Observer* observer);

}  // namespace uotbench::simt
