// Stacks of fibers, each with a page below it that must not be touched.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/trace/warps/warps.hpp"

namespace uotbench::simt {

class Stacks {
 public:
  Stacks() = default;
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  /// At least `count` stacks of at least `bytes`; what is there stays where it fits. Throws std::bad_alloc.
  void provide(std::size_t count, std::size_t bytes);
  void* top(std::size_t number) const;
  std::size_t size() const { return size_; }  ///< bytes of one
  trace::Span span() const { return {memory_, memory_ + count_ * stride()}; }
  /// Whether it is one of the pages that must not be touched.
  bool guards(std::uintptr_t address) const;
  std::size_t guard() const { return guard_; }

 private:
  std::size_t stride() const { return size_ + guard_; }
  void release();

  std::uintptr_t memory_ = 0;
  std::size_t count_ = 0, size_ = 0, guard_ = 0;
};

}  // namespace uotbench::simt
