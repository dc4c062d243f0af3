// The first half of planning: every combination of variants, workers and axis values that a sweep names.
#pragma once

#include <memory>
#include <vector>

#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/base/json.hpp"

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

}  // namespace uotbench
