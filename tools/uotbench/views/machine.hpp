// Ceilings as text.
#pragma once

#include <string>

#include "harness/host/facts/terminal.hpp"
#include "results/record/run_header.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {

/// Bandwidths by working set and kernel, with the names of levels where they are clear (in ceilings of before
/// by level), the ridge (the intensity from which on arithmetic is the limit), and peak flop rates. `caches`:
/// of the same machine.
std::string text_of(const Ceilings& ceilings, const Caches& caches, const Terminal& terminal = {});

/// Of the caches that were probed: the reported size, and the measured one or why there is none. Empty: none
/// was probed.
std::string text_of_probes(const MachineFacts& machine, const Terminal& terminal = {});

}  // namespace uotbench
