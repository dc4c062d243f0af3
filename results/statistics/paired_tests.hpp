// Tests of paired differences that assume no distribution beyond symmetry, or not even that.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "results/statistics/statistics.hpp"

namespace uotbench {

/// One-sided p of Wilcoxon's signed-rank test that `values` are above `bound`: P(T+ >= observed) under
/// symmetry about it, exactly, by the null distribution conditional on the ranks (mid-ranks for ties; values
/// equal to the bound are left out, as Wilcoxon did). 1 where nothing is left. (Hollander, Wolfe, Chicken,
/// Nonparametric Statistical Methods, 3rd ed., section 3.1.)
double signed_rank_above(std::span<const double> values, double bound);
/// The same for below.
double signed_rank_below(std::span<const double> values, double bound);

/// Holm's adjusted p-values, in the order given: reject those below a level, and the chance that any true
/// hypothesis is rejected is at most it (Holm, Scandinavian Journal of Statistics 6, 1979).
std::vector<double> holm(std::span<const double> p);

/// A standard deviation that a few wild values do not move: 1.4826 times the median distance from the median.
double scaled_mad(std::span<const double> values);

}  // namespace uotbench
