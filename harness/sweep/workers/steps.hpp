// Variants that make several of their family's iterations at a time.
#pragma once

#include "results/base/json.hpp"

namespace uotbench {

/// As an entry of `planned` says; 1 where it says nothing.
inline int steps_in(const Json& planned) { return planned.value("steps", 1); }

/// The least number of iterations that such a variant can make and that is no less than `iterations`.
inline int whole_steps(int iterations, int steps) { return (iterations + steps - 1) / steps * steps; }

}  // namespace uotbench
