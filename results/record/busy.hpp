// How a record says that a timed process had to share its CPU.
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

}  // namespace uotbench
