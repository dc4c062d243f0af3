// A case's processes, one a round, as statistics take them.
#pragma once

#include <optional>
#include <vector>

#include "results/record/record.hpp"
#include "results/statistics/paired_series.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {

/// The median of each process that has samples, in the order of the rounds: seconds.
std::vector<double> process_medians(const Timing& time);

/// The medians of the rounds in which both cases have samples: seconds.
PairedSeries paired_medians(const Timing& a, const Timing& b);

/// The range of a case's time, seconds: from the fastest to the slowest process's median; of one process the
/// interval of its median. Absent where one process has fewer than 6 samples.
std::optional<Interval> time_interval(const Record& record);

/// Seconds since the epoch: the middle between the starts of the first and the last process that has samples.
/// Absent: none has, or a start is not known.
std::optional<double> when_measured(const Timing& time);

/// Of all its processes. Throws Error where none has a sample.
Summary summary_of(const Timing& time);

}  // namespace uotbench
