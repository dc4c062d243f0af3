// Ceilings as text.
#pragma once

#include <string>

#include "harness/host/facts/terminal.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {

/// Bandwidths by level and kernel, with the ridge (the intensity from which on arithmetic is the limit), and
/// peak flop rates.
std::string text_of(const Ceilings& ceilings, const Terminal& terminal = {});

}  // namespace uotbench
