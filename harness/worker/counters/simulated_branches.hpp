// How many branches of a call today's CPUs would mispredict, by simulated predictors.
#pragma once

#include <cstddef>
#include <span>

#include "harness/worker/counters/branch_steps.hpp"

namespace uotbench {

struct BranchCounts {
  std::size_t executed = 0;  ///< conditional and indirect ones, returns included
  std::size_t mispredicted = 0;
};

/// Of the second of two equal calls: what is timed is called again and again, so that predictors have learnt
/// what they have room for. Branches have numbers in the order in which they come up, so that counts do not
/// depend on where code is loaded.
/// - Conditional branches: DirectionPredictor.
/// - Indirect jumps and calls: the target of the last time after the same branches (4096 entries, tagged), or
///   else the last target (Chang, Hao, Patt, "Target prediction for indirect jumps", ISCA 1997).
/// - Returns: a stack of 16 calls (Kaeli and Emma, ISCA 1991).
BranchCounts simulate_branches(std::span<const BranchStep> steps);

}  // namespace uotbench
