// Processes that share a memory, as customers share a counter: a closed queueing network of one server,
// solved by mean value analysis (Reiser, Lavenberg 1980, doi 10.1145/322186.322195). Of the time that one
// process alone takes, a part is at the counter, where others may stand before it; all else goes on beside
// them.
#pragma once

namespace uotbench {

/// Seconds of a work that `processes` share evenly, where one alone takes `alone`, `demand` of it at the
/// counter.
double time_together(double alone, double demand, int processes);

/// The demand of a work that one process does in `alone` and `processes` together in `together`: 0 where they
/// do not hinder each other, `alone` where they gain nothing.
double demand_between(double alone, double together, int processes);

}  // namespace uotbench
