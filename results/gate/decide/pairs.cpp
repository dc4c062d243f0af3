#include "results/gate/decide/pairs.hpp"

#include <fmt/format.h>

#include <cmath>

#include "results/base/error.hpp"
#include "results/statistics/paired_tests.hpp"

namespace uotbench {

void Pairs::append(const std::vector<PairedTimes>& more) {
  for (const auto& pair : more) {
    baseline_.push_back(pair.baseline);
    candidate_.push_back(pair.candidate);
    control_.push_back(pair.control);
  }
}

void Pairs::append(const Pairs& more) {
  baseline_.insert(baseline_.end(), more.baseline_.begin(), more.baseline_.end());
  candidate_.insert(candidate_.end(), more.candidate_.begin(), more.candidate_.end());
  control_.insert(control_.end(), more.control_.begin(), more.control_.end());
}

std::vector<double> Pairs::changes() const {
  std::vector<double> changes(size());
  for (std::size_t i = 0; i < size(); ++i) changes[i] = std::log(candidate_[i] / baseline_[i]);
  return changes;
}

Pairs Pairs::of_copy() const {
  Pairs pairs;
  for (std::size_t i = 0; i < size(); ++i)
    if (control_[i]) pairs.append({{.baseline = baseline_[i], .candidate = *control_[i], .control = {}}});
  return pairs;
}

std::optional<ConfidenceInterval> Pairs::interval() const {
  return paired_ratio_interval(baseline_, candidate_);
}

double Pairs::ratio() const {
  std::vector<double> ratios(size());
  for (std::size_t i = 0; i < size(); ++i) ratios[i] = candidate_[i] / baseline_[i];
  return median(ratios);
}

void check_times(const std::vector<PairedTimes>& pairs, std::size_t which) {
  const auto check = [&](const char* arm, double seconds) {
    if (!(seconds > 0 && std::isfinite(seconds)))
      throw Error(fmt::format("gate: case {}: the {} took {} s; a time is positive", which, arm, seconds));
  };
  for (const auto& pair : pairs) {
    check("baseline", pair.baseline);
    check("candidate", pair.candidate);
    if (pair.control) check("control", *pair.control);
  }
}

TimeVerdict summary_of(const Pairs& pairs) {
  TimeVerdict summary;
  summary.ratio = pairs.ratio();
  summary.interval = pairs.interval();
  summary.pairs = pairs.size();
  // As few as the interval needs: a spread of less is an accident.
  if (pairs.size() >= 6) summary.noise = scaled_mad(pairs.changes());
  return summary;
}

std::string ratio_words(double ratio) { return fmt::format("{:.3f}x", ratio); }

std::string words_of(const TimeVerdict& verdict) {
  if (!verdict.interval) return ratio_words(verdict.ratio);
  return fmt::format("{} ({:.3f} to {:.3f})", ratio_words(verdict.ratio), verdict.interval->low,
                     verdict.interval->high);
}

}  // namespace uotbench
