// One case's pairs of times, as the gate's decision checks, sums up and words them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/gate/decide/decision.hpp"
#include "results/statistics/paired_series.hpp"

namespace uotbench {

/// Throws Error naming a time that is not positive and finite, and the case from 0.
void check_times(const std::vector<PairedTimes>& pairs, std::size_t which);

/// Ratio, interval, noise (absent below 6 pairs) and number of pairs; no verdict.
TimeVerdict summary_of(const PairedSeries& pairs);

/// "1.104x".
std::string ratio_words(double ratio);
/// "1.104x (1.092 to 1.117)".
std::string words_of(const TimeVerdict& verdict);

}  // namespace uotbench
