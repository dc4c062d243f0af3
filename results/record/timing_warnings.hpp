// Warnings in a record's "time" that views treat apart. A run file has them as text, which is written and
// recognised here alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace uotbench {

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
