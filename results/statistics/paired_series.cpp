#include "results/statistics/paired_series.hpp"

#include <algorithm>
#include <cmath>

namespace uotbench {

PairedSeries::PairedSeries(std::span<const double> a, std::span<const double> b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) add(a[i], b[i]);
}

void PairedSeries::add(double a, double b) {
  a_.push_back(a);
  b_.push_back(b);
}

void PairedSeries::append(const PairedSeries& more) {
  a_.insert(a_.end(), more.a_.begin(), more.a_.end());
  b_.insert(b_.end(), more.b_.begin(), more.b_.end());
}

std::vector<double> PairedSeries::ratios() const {
  std::vector<double> ratios(size());
  for (std::size_t i = 0; i < size(); ++i) ratios[i] = b_[i] / a_[i];
  return ratios;
}

std::vector<double> PairedSeries::changes() const {
  std::vector<double> changes = ratios();
  for (double& change : changes) change = std::log(change);
  return changes;
}

std::optional<ConfidenceInterval> PairedSeries::interval() const {
  const bool positive = std::ranges::all_of(a_, [](double seconds) { return seconds > 0; });
  return positive ? ratios_interval(ratios()) : std::nullopt;  // which looks at b's
}

}  // namespace uotbench
