// In which order the processes of a session run.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace uotbench {

/// Pairs of a case that are to be measured.
struct AbRequest {
  std::size_t which = 0;  ///< the case
  std::size_t pairs = 0;
  bool control = false;  ///< each with a process of the control arm
};

/// One process: of which case, which arm (0 baseline, 1 candidate, 2 control), for which of its pairs.
struct AbTurn {
  std::size_t which = 0;
  int arm = 0;
  std::size_t pair = 0;

  auto operator<=>(const AbTurn&) const = default;
};

/// Blocks of two pairs, ABBA or BAAB at random (with the control a random order of three and the same
/// backwards), so that whatever drifts linearly adds the same to all arms of a block; blocks of all cases
/// shuffled together, so that whatever disturbs the machine for a while hits a few pairs of many cases and
/// not all pairs of one. An odd last pair is a block of its own.
std::vector<AbTurn> ab_order(const std::vector<AbRequest>& wanted, std::mt19937_64& random);

}  // namespace uotbench
