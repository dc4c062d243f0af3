// The branches of a call in the order of execution, as single steps find them, and how many of them today's
// CPUs would mispredict, by simulated predictors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/worker/counters/machine_code.hpp"

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

struct BranchCounts {
  std::size_t executed = 0;               ///< conditional and indirect ones, returns included
  std::size_t mispredicted_at_first = 0;  ///< in the first call, before which the predictors know nothing
  std::size_t mispredicted = 0;           ///< in the last call
  std::size_t calls = 0;                  ///< that were simulated
};

/// Of equal calls, one after the other: what is timed is called again and again, so that predictors learn
/// what they have room for, short calls by heart. The calls end when the mispredictions of two in a row are
/// within 2% of those of the call before, with the 64th, or when one more would be the 33.6 millionth branch
/// (about three seconds); there are always two. Branches have numbers in the order in which they come up, so
/// that counts do not depend on where code is loaded.
/// - Conditional branches: DirectionPredictor.
/// - Indirect jumps and calls: the target of the last time after the same branches (4096 entries, tagged), or
///   else the last target (Chang, Hao, Patt, "Target prediction for indirect jumps", ISCA 1997).
/// - Returns: a stack of 16 calls (Kaeli and Emma, ISCA 1991).
BranchCounts simulate_branches(std::span<const BranchStep> steps);

}  // namespace uotbench
