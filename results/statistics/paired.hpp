// Statistics of values that come in pairs, such as the times of two builds in one round.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "results/statistics/statistics.hpp"

namespace uotbench {

class PairedSeries {
 public:
  PairedSeries() = default;
  /// a[r] and b[r] are a pair; extra values of the longer are not used.
  PairedSeries(std::span<const double> a, std::span<const double> b);

  void add(double a, double b);
  void append(const PairedSeries& more);
  std::size_t size() const { return a_.size(); }

  /// b over a of each pair.
  std::vector<double> ratios() const;
  /// Their logarithms.
  std::vector<double> changes() const;
  /// The median ratio. Throws Error where there is no pair.
  double ratio() const { return median(ratios()); }
  /// Of the median ratio, as ratios_interval; absent where a time is not positive, too.
  std::optional<ConfidenceInterval> interval() const;

 private:
  std::vector<double> a_, b_;
};

// Tests of paired differences that assume no distribution beyond symmetry, or not even that.

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
