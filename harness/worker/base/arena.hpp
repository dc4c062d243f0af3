// Where `new`, std::vector and Buffer take memory from, and how much of it.
//
// Memory for simulated counting whose addresses repeat from process to process, so that which lines fall into
// one set of a cache does, too: randomised address spaces, the length of a path in a request and the history
// of the heap would all show in the counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace uotbench {

class Arena {
 public:
  /// Reserves `bytes`; pages come when they are touched. From here to the destructor all that `new`,
  /// std::vector and Buffer take is cut from it, by whole cache lines, one piece after the other; never given
  /// back. What does not fit comes from the heap. One a process: throws Error on a second, std::bad_alloc.
  explicit Arena(std::size_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Runs `act` in this thread on a stack in the arena; throws what it throws.
  void run(const std::function<void()>& act);

  /// The one there is; null without.
  static const Arena* current();
  const char* data() const;
  std::size_t size() const;
};

/// `bytes` from the current arena, or from the heap; aligned to a power of two. Null where there is none
/// left. Give it back with give_back().
void* take_memory(std::size_t bytes, std::size_t alignment) noexcept;
void give_back(void* memory) noexcept;

// What `new`, std::vector and Buffer take from the heap, counted while a tally is active. Nothing is
// noted otherwise.

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
