// What share of a case's time each phase of its kernel takes.
#pragma once

#include <string>
#include <vector>

#include "results/record/record.hpp"

namespace uotbench {

struct PhaseShare {
  std::string name;
  double seconds = 0;  ///< per unit: the median over the samples of all processes
  double share = 0;    ///< of the sample it belongs to: the median
  double entered = 0;  ///< per unit: the mean over the processes
};

/// In the kernel's order, and last "other", what none of them covers; empty where it reports no phases, or
/// its processes report different ones.
std::vector<PhaseShare> phase_shares(const Timing& time);
/// "pricing 61%, pivots 30% (12.5 an iteration), other 9%".
std::string text_of(const std::vector<PhaseShare>& shares, Unit per);

}  // namespace uotbench
