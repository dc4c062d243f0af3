// The speedup of every case of a view, or why it has none.
#pragma once

#include "results/view/view.hpp"

namespace uotbench {

/// Fills in `speedup`, or `no_speedup` of timed cases; adds a note for each reason, and what to ask `next`.
void add_speedups(RunView& view);

}  // namespace uotbench
