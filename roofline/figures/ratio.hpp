// A case's time against another's, and how sure that is: what speedups and tied tiles are drawn from.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "results/view/view.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {

/// "3 processes, 0.4567 to 0.5012 ms" or "1 process": what an interval of a time comes from.
std::string sureness_of(const Record& record);

struct Ratio {
  double value = 1;                           ///< of the medians
  std::optional<SureInterval> interval = {};  ///< of the rounds that both have; absent below 2
};

/// Time of `b` over time of `a`, two timed cases of one run, paired by round.
Ratio ratio_of(const CaseView& a, const CaseView& b);

/// True where a case cannot be told from the fastest of its map: the interval of their times' ratio reaches 1
/// (below 6 rounds that is the rounds' whole range, so one round in which the case was no slower will do).
/// Where both have one process only: their medians differ by no more than their noises together; of unknown
/// noise nothing can be said, and nothing is.
bool tied(const CaseView& fastest, const CaseView& member);

/// Which case every case of a run is held against; of all that the run holds, whatever a figure shows.
class Bases {
 public:
  /// Of each of several runs its own; `over`: as a sweep's speedup_over; null: what the run's sweep names.
  /// Throws UsageError where it is no object.
  Bases(const std::vector<const RunView*>& views, const Json& over);
  /// Null: there is none, or it was not timed.
  const CaseView* of(const CaseView& member) const;

 private:
  void add(const RunView& view, const Reference& over);

  std::unordered_map<const CaseView*, const CaseView*> bases_;
};

}  // namespace uotbench
