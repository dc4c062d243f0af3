// What a case's times say: its processes as statistics take them, the shares of its phases, and warnings that
// views treat apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/record.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {

// A case's processes, one a round, as statistics take them.

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

// What share of a case's time each phase of its kernel takes.

struct PhaseShare {
  std::string name;
  double seconds = 0;  ///< per unit: the median over the samples of all processes
  double share = 0;    ///< of the sample it belongs to: the median
  double entered = 0;  ///< per unit: the mean over the processes
};

/// In the kernel's order, and last "other", what none of them covers; empty where it reports no phases, or
/// its processes report different ones.
std::vector<PhaseShare> phase_shares(const Timing& time);
/// "pricing 61%, pivots 30% (12.5 an iteration), other 9%".
std::string text_of(const std::vector<PhaseShare>& shares, Unit per);

// Warnings in a record's "time" that views treat apart. A run file has them as text, which is written and
// recognised here alone.

/// The least share of its time that a process which computes has its CPU: on an idle machine it is off it for
/// less than a percent.
inline constexpr double least_busy = 0.95;

/// "round 2: had its CPU only 83% of the time"; rounds count from 1.
std::string busy_warning(int round, double share);
/// The share in such a text; absent in any other.
std::optional<double> busy_share(std::string_view warning);

/// "its times are doubtful: WHY": another measurement, or a ceiling, contradicts them.
std::string doubtful_times_warning(std::string_view why);
/// Whether a warning is such a text, after "round 2: " or other words.
bool warns_of_doubtful_times(std::string_view warning);

/// Of a worker that was built without optimisation.
inline constexpr std::string_view debug_build_warning = "Debug build";

}  // namespace uotbench
