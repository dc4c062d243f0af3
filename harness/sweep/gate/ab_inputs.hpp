// The inputs of several groups at once: cases whose processes take turns all find theirs.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/problem_files.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "harness/sweep/workers/workspace.hpp"

namespace uotbench {

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
