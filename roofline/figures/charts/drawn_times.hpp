// The seconds that cases of one figure are drawn with, where they were not all timed by the same unit.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "roofline/figures/figure.hpp"

namespace uotbench {

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
