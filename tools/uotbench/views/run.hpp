// A stored run as text.
#pragma once

#include <string>

#include "harness/host/facts/terminal.hpp"
#include "results/view/view.hpp"

namespace uotbench {

/// For whoever mends a kernel: of each kind of bad outcome the first case, with the command that shows it
/// again and, where the worker was compiled, the one that does so in gdb. Empty where there is none.
std::string mending(const Run& run);

/// Warnings, then the table, then what speedups are over where the sweep names more than a variant.
std::string table_of(const RunView& view, const Terminal& terminal = {});
/// Where the run is and what to try next: `command`, or how to finish it.
std::string signpost(const Run& run, const std::string& command);

}  // namespace uotbench
