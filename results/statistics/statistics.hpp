// What can be said about raw samples: medians and how sure they are. Nothing here assumes a distribution.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace uotbench {

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

}  // namespace uotbench
