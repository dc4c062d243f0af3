// The clock of a case's core while it was timed.
#pragma once

namespace uotbench {

/// Of Record::env: hertz, measured by each timed process before and after its samples.
inline constexpr const char* clock_fact = "clock_hz";

}  // namespace uotbench
