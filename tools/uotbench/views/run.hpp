// A stored run as text, and a comparison of two.
#pragma once

#include <string>

#include "harness/host/facts/terminal.hpp"
#include "results/view/compare.hpp"
#include "results/view/view.hpp"

namespace uotbench {

// A stored run as text.

/// For whoever mends a kernel: of each kind of bad outcome the first case, with the command that shows it
/// again and, where the worker was compiled, the one that does so in gdb. Empty where there is none.
std::string mending(const Run& run);

/// Warnings, then the table, then what speedups are over where the sweep names more than a variant.
std::string table_of(const RunView& view, const Terminal& terminal = {});
/// Where the run is and what to try next: `command`, or how to finish it.
std::string signpost(const Run& run, const std::string& command);

// A comparison as text.

struct CompareText {
  std::string a = "A", b = "B";  ///< what the sides are called in the table
  bool speedups = false;         ///< both sides' speedups, and their ratio
};

/// What is compared, warnings, the table, geometric means, cases without a partner.
std::string text_of(const Comparison& comparison, const CompareText& options = {},
                    const Terminal& terminal = {});

}  // namespace uotbench
