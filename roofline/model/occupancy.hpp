// Theoretical occupancy: how many warps of a launch a multiprocessor can hold at a time, of those it could.
// From launch parameters alone (NVIDIA, CUDA C++ Programming Guide, "Multiprocessor Level"): registers are
// not known where kernels run on the CPU.
#pragma once

#include <optional>
#include <string>

#include "results/view/published.hpp"

namespace uotbench {

/// What a kernel was launched with.
struct LaunchShape {
  double blocks = 0;        ///< in the grid
  double threads = 0;       ///< of a block
  double shared_bytes = 0;  ///< of a block, dynamic
};

/// Of a case's counters GPU.blocks, GPU.threads and GPU.shared_bytes; absent, with the reason in `why`: they
/// were not counted, or are of several launches, which may differ.
std::optional<LaunchShape> launch_shape_of(const Record& record, std::string& why);

struct Occupancy {
  int blocks = 0;          ///< that a multiprocessor holds at a time; 0: a block does not fit
  std::string limited_by;  ///< "blocks", "threads" or "shared memory": what allows no more of them
  double theoretical = 0;  ///< warps held over warps possible
  double fill = 0;         ///< blocks of the grid over blocks that the whole GPU holds, at most 1
};

Occupancy occupancy_of(const LaunchShape& launch, const Multiprocessor& multiprocessor);

}  // namespace uotbench
