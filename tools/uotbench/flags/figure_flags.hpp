// The flags that all commands with figures share.
#pragma once

#include <string>
#include <vector>

#include "roofline/draw/gnuplot.hpp"
#include "roofline/figures/figure.hpp"

namespace CLI {
class App;
}

namespace uotbench {

struct FigureFlags {
  std::string output, width = "8.8cm", title, filter;
  std::vector<std::string> order, labels, colours;
  DrawOptions options;
};

void add_figure_flags(CLI::App& command, FigureFlags& flags);

/// Throws UsageError where a flag's value is wrong.
FigureSpec spec_of(const std::string& kind, const FigureFlags& flags);

}  // namespace uotbench
