// A comparison as text.
#pragma once

#include <string>

#include "harness/host/facts/terminal.hpp"
#include "results/view/compare.hpp"

namespace uotbench {

struct CompareText {
  std::string a = "A", b = "B";  ///< what the sides are called in the table
  bool speedups = false;         ///< both sides' speedups, and their ratio
};

/// What is compared, warnings, the table, geometric means, cases without a partner.
std::string text_of(const Comparison& comparison, const CompareText& options = {},
                    const Terminal& terminal = {});

}  // namespace uotbench
