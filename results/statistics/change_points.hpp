// Where a series begins to be another one, and which of these places are steps that last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "results/statistics/statistics.hpp"

namespace uotbench {

struct StepRules {
  double delta = 0.02;            ///< a step within this, relative, is none
  std::size_t least = 4;          ///< values on either side of a step
  double level = 0.001;           ///< p of a part's permutation test, at most
  std::size_t shuffles = 1999;    ///< of a part that may have a step; half of 300 values or more
  std::size_t reach = 60;         ///< values on either side that a step's ratio is from
  std::uint64_t seed = 20141229;  ///< of the shuffles: the same series has the same steps, always
};

struct SplitPoint {
  std::size_t at = 0;  ///< the first value after it
  double p = 1;        ///< an upper bound
};

/// E-divisive (Matteson and James, Journal of the American Statistical Association 109, 2014, sections 2 and
/// 3): the series is divided where the energy distance of what is before and after is largest (their
/// equation 9, with alpha = 1), as long as shuffling the part explains that with a probability of at most
/// `level`; then each part by itself. In ascending order.
std::vector<SplitPoint> e_divisive(std::span<const double> values, const StepRules& rules);

struct ChangePoint {
  std::size_t at = 0;
  double ratio = 1;  ///< of what is after it to what is before it: the median of all ratios (Hodges, Lehmann)
  ConfidenceInterval interval = {};  ///< of it, by Moses
  double p = 1;
};

/// Change points (e_divisive) of the logarithms of `values` (above 0) that are steps of at least `delta`
/// between what is between them and their neighbours, up or down. Smaller ones are no steps, the smallest
/// first: what creeps by less than delta at a time is one step once it has come so far.
std::vector<ChangePoint> change_points(std::span<const double> values, const StepRules& rules);

}  // namespace uotbench
