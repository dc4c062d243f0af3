// The parts that a kernel reports of what is timed: pricing and pivots of a solve, the row and the column
// step of an iteration. They are disjoint; what none of them covers is "other".
#pragma once

#include <string>
#include <vector>

namespace uotbench {

/// One part, in the samples of one process.
struct PhaseSamples {
  std::string name;
  std::vector<double> seconds;  ///< one value per sample, what this part of it took, per unit
  double entered = 0;           ///< how often, per unit: the mean over the samples
};

}  // namespace uotbench
