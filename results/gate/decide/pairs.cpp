#include <fmt/format.h>

#include <cmath>

#include "results/base/error.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {

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

TimeVerdict summary_of(const PairedSeries& pairs) {
  TimeVerdict summary;
  summary.ratio = pairs.ratio();
  summary.interval = pairs.interval();
  summary.pairs = pairs.size();
  // As few as the interval needs: a spread of less is an accident.
  if (pairs.size() >= 6) summary.noise = scaled_mad(pairs.changes());
  return summary;
}

}  // namespace uotbench
