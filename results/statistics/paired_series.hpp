// Times of two arms in pairs, each taken close together: in one round of a run, or back to back in a gate.
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

}  // namespace uotbench
