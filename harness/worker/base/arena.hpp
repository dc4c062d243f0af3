// Memory for simulated counting whose addresses repeat from process to process, so that which lines fall into
// one set of a cache does, too: randomised address spaces, the length of a path in a request and the history
// of the heap would all show in the counts.
#pragma once

#include <cstddef>
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

}  // namespace uotbench
