// The order of an A/B session, and the inputs that it holds meanwhile.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/problem_files.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "harness/sweep/workers/workspace.hpp"

namespace uotbench {

// In which order the processes of a session run.

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

// The inputs of several groups at once: cases whose processes take turns all find theirs.

class AbInputs {
 public:
  /// `memory`: bytes that inputs may take at once.
  AbInputs(WorkerPool& judge, double memory) : judge_(judge), memory_(memory) {}

  /// The groups in batches that fit, in their order; a group that does not fit with any other is alone.
  std::vector<std::vector<const Group*>> batches(const std::vector<const Group*>& groups) const;
  /// Makes what is not there yet, and lets go of all others where these do not fit beside them. Throws
  /// WorkerFailure (the oracle's), Error (no room), Interrupted.
  void hold(const std::vector<const Group*>& groups);
  /// Of a group that is held.
  ProblemFiles& files(const Group* group) { return *held_.at(group).files; }

 private:
  struct Held {
    std::unique_ptr<Workspace> workspace;
    std::unique_ptr<ProblemFiles> files;
  };

  WorkerPool& judge_;
  double memory_;
  std::map<const Group*, Held> held_;
};

}  // namespace uotbench
