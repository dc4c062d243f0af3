// Statistics of times: medians and their intervals, values that come in pairs, and steps in a series.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace uotbench {

// What can be said about raw samples: medians and how sure they are. Nothing here assumes a distribution.

/// The middle value (mean of the two middle ones for an even count). Throws Error on an empty span.
double median(std::span<const double> samples);

struct Interval {
  double low = 0;
  double high = 0;
};

/// Distribution-free 95% interval of the median from order statistics: ranks k and n+1-k with
/// P(Binomial(n, 1/2) < k) <= 2.5% (Hollander, Wolfe, Chicken, Nonparametric Statistical Methods,
/// section 3.6). Fewer than 6 samples cannot give one.
std::optional<Interval> median_interval(std::span<const double> samples);

/// Half the width of `median_interval`, relative to the median; absent below 6 samples.
std::optional<double> relative_noise(std::span<const double> samples);

/// An interval and its exact coverage probability.
struct ConfidenceInterval {
  double low = 0;
  double high = 0;
  double coverage = 0;
};

/// Of the median of ratios, or of other values above 0, one a round: the order-statistics interval of 95% or
/// more; below 6 rounds their whole range, whose coverage is 1 - 2^(1-n). Absent below 2 rounds and where a
/// value is not positive.
std::optional<ConfidenceInterval> ratios_interval(std::span<const double> by_round);

/// The least and the greatest b[j]/a[i] of two sets of processes that shared no rounds. It has no coverage:
/// two runs differ by more than their processes do. Absent where a set is empty, both hold one value, or a
/// time is not positive.
std::optional<Interval> ratio_range(std::span<const double> a, std::span<const double> b);

/// Which of the m n ordered differences bound a shift: the `rank`-th from either end, and with what coverage.
struct MannWhitneyRank {
  std::size_t rank = 1;
  double coverage = 0;
};

/// The narrowest of 95% or more from the exact null distribution of Mann and Whitney's U; where even the
/// extremes have less (3 and 3: 90%), these (Hollander, Wolfe, Chicken, section 4.3: Moses). Above m n = 2500
/// the normal approximation takes its place (their equation 4.40).
MannWhitneyRank mann_whitney_rank(std::size_t m, std::size_t n);

/// Of the time of b over the time of a, two independent sets of processes: the interval of Moses for the
/// shift of log times (Hodges and Lehmann's estimator), i.e. the `rank`-th smallest and largest of all
/// b[j]/a[i]. Absent where a set is empty, both hold one value, or a time is not positive.
std::optional<ConfidenceInterval> hodges_lehmann_interval(std::span<const double> a,
                                                          std::span<const double> b,
                                                          const MannWhitneyRank& rank);

/// A case's timing, from the samples of its processes. Processes are the unit: two samples of one process
/// share its page layout and its neighbours, so they are never pooled across processes.
struct Summary {
  double median = 0;  ///< median of the processes' medians, seconds
  /// Relative. Two processes or more: half the distance between the fastest and the slowest process's
  /// median; one process: its relative_noise. Absent where neither exists.
  std::optional<double> noise;
  std::size_t samples = 0;
  std::vector<std::string> warnings;  ///< with numbers, ready to print
};

Summary summarize(std::span<const std::vector<double>> processes);

// Statistics of values that come in pairs, such as the times of two builds in one round.

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

// Where a series begins to be another one, and which of these places are steps that last.

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
