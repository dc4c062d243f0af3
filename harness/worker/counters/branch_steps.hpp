// The branches of a call in the order of execution, as single steps find them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/worker/counters/branch_code.hpp"

namespace uotbench {

/// Addresses without their upper halves, which no two of a process's branches differ in alone.
struct BranchStep {
  std::uint32_t at = 0, to = 0;  ///< where the branch is, and which instruction came after it
  BranchKind kind = BranchKind::none;
  bool taken = true;
};

class BranchSteps {
 public:
  /// 96 MiB, of which only what is used is memory. Code in which every fourth instruction is a branch has as
  /// many in half a minute of single steps.
  static constexpr std::size_t most = 1 << 23;

  explicit BranchSteps(std::size_t room = most) { steps_.reserve(room); }

  /// The instruction at `next` came after the one at `at`, which can be read. For signal handlers: it takes
  /// no memory.
  void take(std::uintptr_t at, std::uintptr_t next) {
    const BranchCode code = branch_code(reinterpret_cast<const unsigned char*>(at));
    if (code.kind == BranchKind::none) return;
    if (steps_.size() == steps_.capacity()) {
      is_whole_ = false;
      return;
    }
    steps_.push_back({.at = static_cast<std::uint32_t>(at),
                      .to = static_cast<std::uint32_t>(next),
                      .kind = code.kind,
                      .taken = code.kind != BranchKind::conditional || next != at + code.bytes});
  }

  std::span<const BranchStep> all() const { return steps_; }
  /// False: there were more than it has room for.
  bool is_whole() const { return is_whole_; }

 private:
  std::vector<BranchStep> steps_;
  bool is_whole_ = true;
};

}  // namespace uotbench
