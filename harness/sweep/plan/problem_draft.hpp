// A plan on its way: the problems that its cases are about, completed by the oracle.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/sweep/plan/expand.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/record/record.hpp"

namespace uotbench {

/// What cases share: inputs, and the memory for them.
struct ProblemDraft {
  const FamilyInfo* family;
  Json point;  ///< the Problem axes
  Json derived = Json::object();
  double bytes = 0;
  std::vector<int> judged_after = {};  ///< iterations, each
  std::string refused = {};            ///< why it cannot be
  InputContents files = {};
};

/// Collects the problems that the drafts are about, in their order, and numbers the drafts accordingly.
std::vector<ProblemDraft> problems_of(std::vector<Draft>& drafts);

/// Derived values and shared memory: what the oracle knows. Throws UsageError where it cannot say.
void complete(std::vector<ProblemDraft>& problems, WorkerPool& pool);

/// Asks `process` about points in batches; calls `take(index, answer)` for each. Throws WorkerFailure.
void ask_about(WorkerProcess& process, const Json& request, const std::vector<const Json*>& points,
               double timeout, const std::function<void(std::size_t, const PlannedPoint&)>& take);

}  // namespace uotbench
