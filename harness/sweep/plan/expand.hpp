// The first half of planning: every combination of variants, workers and axis values that a sweep names.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/base/json.hpp"
#include "results/record/record.hpp"

namespace uotbench {

/// A case before the oracle and its worker have been asked about it.
struct Draft {
  Case plan;   ///< without its point
  Json point;  ///< of the case, an object
  const FamilyInfo* family;
  std::shared_ptr<const std::vector<Axis>> axes;  ///< family's, then variant's, as the point has them
  std::size_t problem = 0;                        ///< which of the sweep's problems; filled in by the planner
};

/// In the sweep's order; in a case group the last axis runs fastest, and at each point come all variants,
/// each on all workers. Combinations for which a condition does not hold are left out. Throws UsageError for
/// an unknown variant, axis or value, for one that is missing, and for more than a million cases.
std::vector<Draft> expand(const Sweep& sweep, WorkerPool& pool);

// A plan on its way: the problems that its cases are about, completed by the oracle.

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
