// How many branches of a call today's CPUs would mispredict, by simulated predictors.
#pragma once

#include <cstddef>
#include <span>

#include "harness/worker/counters/branch_steps.hpp"

namespace uotbench {

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
