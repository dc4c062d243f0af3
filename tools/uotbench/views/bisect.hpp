// What `uotbench bisect` prints.
#pragma once

#include <string>

#include "harness/host/facts/terminal.hpp"
#include "results/gate/bisect.hpp"

namespace uotbench {

/// The finding first, then what shows it, then the way there.
std::string text_of(const BisectReport& report, const Terminal& terminal = {});

}  // namespace uotbench
