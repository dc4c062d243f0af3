// When a loop is worth an OpenMP team.
#pragma once

#include <cstddef>

namespace uotbench {

/// Cells from which on a team pays: waking one takes some 5 us, and milliseconds where other programs keep
/// the CPUs busy; one thread does this many in about 0.1 ms.
inline constexpr std::size_t worth_a_team = std::size_t{1} << 16;

}  // namespace uotbench
