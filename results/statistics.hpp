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
