// Variants that make several of their family's iterations at a time.
#pragma once

namespace uotbench {

/// The least number of iterations that such a variant can make and that is no less than `iterations`.
inline int whole_steps(int iterations, int steps) { return (iterations + steps - 1) / steps * steps; }

}  // namespace uotbench
