// What records say of a claim: its expression, over the cases that it names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/claims/claim.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {

struct ClaimValue {
  std::optional<double> value = {};
  /// Over rounds, in which cases took turns, and of `value`: absent where there were fewer than two, or
  /// nothing was timed.
  std::optional<ConfidenceInterval> interval = {};
  std::string reason = {};                  ///< why there is no value
  bool unmeasured = false;                  ///< there are no such cases in the run: they may be run yet
  std::vector<const Record*> records = {};  ///< it is from these
  std::vector<std::string> left_out = {};   ///< rows that lack a case, and why
};

/// Rows are the problems (or the values of `each`) for which every named cases has one that is ok. What an
/// expression calls outside of a function must have one row. What follows a
/// case's name is as metrics have it (results/view/metrics.hpp): `.time.seconds`, `.fact.rounds`, a counter.
ClaimValue measure(const PrintedClaim& claim, const Expression& value, const ClaimFile& file, const Run& run);

}  // namespace uotbench
