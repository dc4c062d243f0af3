// What cases gain over others: speedups over their bases, and efficiencies over fewer CPUs.
#pragma once

#include "results/view/view.hpp"

namespace uotbench {

/// Fills in `speedup`, or `no_speedup` of timed cases; adds a note for each reason, and what to ask `next`.
void add_speedups(RunView& view);

/// Fills in `efficiency` where a variant was timed with several numbers of CPUs (processes times threads), in
/// a run over processes or of more than two such numbers.
/// Strong: of the same problem, CPU seconds of the fewest over its own; seconds where each CPU has as much to
/// do, as in a ceiling. Weak, where no other number of CPUs had the same problem: of as much work a CPU,
/// seconds of the fewest over its own.
void add_efficiencies(RunView& view);

}  // namespace uotbench
