// The figure of a run, or why there is none; and what its text holds.
#pragma once

#include <regex>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/view/view.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {

inline Drawing drawing_of_run(const Run& run, const FigureSpec& spec) {
  const RunView view = view_of(run);
  return figure_of(spec, {&view});
}

/// Empty where there is one.
inline std::string complaint_of(const Run& run, const FigureSpec& spec) {
  try {
    drawing_of_run(run, spec);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

/// What all matches of `pattern` hold.
inline std::vector<std::smatch> matches(const std::string& text, const std::string& pattern) {
  const std::regex sought(pattern);
  return {std::sregex_iterator(text.begin(), text.end(), sought), std::sregex_iterator()};
}

}  // namespace uotbench
