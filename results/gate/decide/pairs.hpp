// One case's pairs of times, as the gate's decision keeps and words them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/gate/decide/decision.hpp"

namespace uotbench {

class Pairs {
 public:
  void append(const std::vector<PairedTimes>& more);
  void append(const Pairs& more);
  std::size_t size() const { return baseline_.size(); }

  /// Logarithms of candidate's over baseline's time.
  std::vector<double> changes() const;
  /// Of the control's over the baseline's, where there was one.
  std::vector<double> copy_changes() const { return of_copy().changes(); }
  /// Pairs of baseline and control.
  Pairs of_copy() const;
  /// Of the median ratio; absent below 2 pairs.
  std::optional<ConfidenceInterval> interval() const;
  /// The median ratio. Throws Error where there is no pair.
  double ratio() const;

 private:
  std::vector<double> baseline_, candidate_;
  std::vector<std::optional<double>> control_;
};

/// Throws Error naming a time that is not positive and finite, and the case from 0.
void check_times(const std::vector<PairedTimes>& pairs, std::size_t which);

/// Ratio, interval, noise (absent below 6 pairs) and number of pairs; no verdict.
TimeVerdict summary_of(const Pairs& pairs);

/// "1.104x".
std::string ratio_words(double ratio);
/// "1.104x (1.092 to 1.117)".
std::string words_of(const TimeVerdict& verdict);

}  // namespace uotbench
