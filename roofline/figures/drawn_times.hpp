// Times of cases as figures show them: which unit, how sure, and whether one can be told from another.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results/view/view.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {

// How sure a case's time is, and whether it can be told from another's: what tiles are framed by.

/// "3 processes, 0.4567 to 0.5012 ms" or "1 process": what an interval of a time comes from.
std::string sureness_of(const Record& record);

/// "fastest to slowest process", what the vertical lines of these cases' times are; of one process each "95%
/// interval of the median".
std::string processes_text(const std::vector<Shown>& shown);

/// True where a case cannot be told from the fastest of its map, both of one unit: the interval of their
/// times' ratio reaches 1 (below 6 rounds that is the rounds' whole range, so one round in which the case was
/// no slower is enough). Where both have one process only: their medians differ by no more than their noises
/// together; of unknown noise nothing can be said, and nothing is.
bool tied(const CaseView& fastest, const CaseView& member);

// The seconds that cases of one figure are drawn with, where they were not all timed by the same unit.

/// A case's seconds as they are drawn.
struct DrawnTime {
  double seconds = 0;
  Unit per = Unit::iteration;
  double scale = 1;  ///< over its median: what its interval, phases and counts are multiplied by
};

/// One unit for all cases of a figure: what they were timed by, where that is one; else an iteration.
class DrawnTimes {
 public:
  /// Takes the cases out of `shown` whose seconds per iteration are needed and unknown; they go to `left_out`
  /// with the reason.
  DrawnTimes(std::vector<Shown>& shown, std::vector<std::pair<std::string, std::string>>& left_out);

  DrawnTime of(const CaseView& member) const;
  Unit per() const { return per_; }
  /// Some cases were timed by another unit.
  bool are_mixed() const { return mixed_; }

 private:
  Unit per_ = Unit::iteration;
  bool mixed_ = false;
};

}  // namespace uotbench
