// Whether what was measured is what was printed.
#pragma once

#include <string>
#include <vector>

#include "results/claims/measure.hpp"

namespace uotbench {

enum class ClaimOutcome {
  reproduced,
  near,        ///< within the tolerance, but a time or a rate of another machine
  consistent,  ///< of an exact claim that is arithmetic: nothing was measured
  trend_only,
  differs,  ///< not near, and there is no trend to keep or to break: a value of another machine
  contradicted,
  undecided,
  cannot_run,
  unmeasured,
  depends
};

/// "reproduced", "trend only", "depends on a reading": what tallies count.
const char* name_of(ClaimOutcome outcome);

struct ClaimVerdict {
  ClaimOutcome outcome = ClaimOutcome::unmeasured;
  std::string why = {};  ///< of cannot_run, near, differs, undecided and unmeasured; of depends: what on

  /// "reproduced", "trend only", "cannot run here: …", "depends on …".
  std::string text() const;
};

/// Of one reading. It is reproduced where the value is within the tolerance (an interval's edge does not
/// count) and the interval, where there is one, does not contain `neutral`. A time or a rate that was printed
/// of a machine and has no `neutral` is never reproduced: that another machine's is near is chance. The trend
/// holds where all of the interval is on the printed side of `neutral`.
ClaimVerdict verdict_of(const PrintedClaim& claim, const ClaimValue& measured);

/// A claim with what was found of it.
struct ClaimResult {
  const PrintedClaim* claim;
  std::vector<ClaimValue> readings;
  std::vector<ClaimVerdict> verdicts;  ///< of each
  ClaimVerdict verdict;                ///< of all: what they agree on, else `depends`
  std::string run = {};                ///< the file that it was measured in
};
ClaimResult result_of(const PrintedClaim& claim, const ClaimFile& file, const Run& run);
/// In the first of these runs that has a value for it; without one, what the last of them says. What cannot
/// be measured, and what needs no run, is reported whatever they are.
ClaimResult result_in(const std::vector<Run>& runs, const PrintedClaim& claim, const ClaimFile& file);
/// Where nothing is measured.
ClaimResult result_without(const PrintedClaim& claim, ClaimVerdict verdict);

}  // namespace uotbench
