// What `new`, std::vector and Buffer take from the heap, counted while a tally is active. Kernels do not
// include this, and nothing is noted otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

namespace uotbench {

struct HeapTally {
  std::uint64_t allocations = 0;
  /// Bytes asked for that were held at once; of several threads the sum of what each held at most, which does
  /// not depend on who came first. A block counts for the thread that took it.
  std::uint64_t peak = 0;
  bool whole = true;  ///< false: there were more blocks or threads than can be distinguished
};

/// From here on, from zero.
void start_heap_tally() noexcept;
HeapTally stop_heap_tally() noexcept;

/// For code that hands out memory and takes it back.
void note_taken(const void* memory, std::size_t bytes) noexcept;
void note_given(const void* memory) noexcept;

}  // namespace uotbench
