// What two arms have in common: a sweep, planned for the workers of each.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/sweep/plan/plan.hpp"
#include "results/base/error.hpp"

namespace uotbench {

/// A worker cannot be asked in either build, and nobody else knows which cases it would have.
class BothBroken : public Error {
  using Error::Error;
};

struct GatePlan {
  /// A case that is there once only.
  struct OneSided {
    std::string id, reason;  ///< why the other arm has it not
  };

  std::vector<std::string> ids;       ///< of all cases, in the sweep's order
  Plan baseline, candidate;           ///< what both have, in the same order
  std::vector<OneSided> missing;      ///< the candidate has not
  std::vector<OneSided> added;        ///< the baseline has not
  std::vector<OneSided> nowhere;      ///< neither can run it here (no GPU, too little memory)
  std::vector<OneSided> broken;       ///< the candidate's worker cannot even be asked; nor both
  std::vector<OneSided> no_baseline;  ///< the baseline's cannot
};

/// A variant, an axis or a value that only one arm knows makes cases of that arm alone. Throws UsageError for
/// what neither arm knows, as make_plan does, and for a selection that leaves nothing; BothBroken where that
/// is why there is no case.
GatePlan plan_gate(const Sweep& sweep, WorkerPool& baseline, WorkerPool& candidate,
                   const Selection& selection);

}  // namespace uotbench
