// The clock of the core that the calling thread is on.
#pragma once

namespace uotbench {

/// Hertz, as ceiling/cycle measures it: by adds that wait for each other, a cycle each. Takes about 0.3 ms;
/// the fastest of several tries, as another process may have the core for one of them.
double core_clock();

}  // namespace uotbench
