// One case's pairs of times, as the gate's decision checks them and sums them up.
#pragma once

#include <cstddef>
#include <vector>

#include "results/gate/decide/decision.hpp"
#include "results/statistics/paired.hpp"

namespace uotbench {

/// Throws Error naming a time that is not positive and finite, and the case from 0.
void check_times(const std::vector<PairedTimes>& pairs, std::size_t which);

/// Ratio, interval, noise (absent below 6 pairs) and number of pairs; no verdict.
TimeVerdict summary_of(const PairedSeries& pairs);

}  // namespace uotbench
