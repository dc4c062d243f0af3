// Figures: the flags that all commands with figures share, and what is asked for, checked and drawn.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "roofline/draw/gnuplot.hpp"
#include "roofline/figures/figure.hpp"

namespace CLI {
class App;
}

namespace uotbench {

// Flags.

struct FigureFlags {
  std::string output, width = "8.8cm", title, filter;
  std::vector<std::string> order, labels, colours;
  DrawOptions options;
};

void add_figure_flags(CLI::App& command, FigureFlags& flags);

/// Throws UsageError where a flag's value is wrong.
FigureSpec spec_of(const std::string& kind, const FigureFlags& flags);

// Figures that are asked for, checked and drawn.

/// The figures of a file that describes them; with `only`, the one of that name: fig9.pdf or fig9. Throws
/// UsageError with JSON pointers, what was found and what is accepted.
std::vector<FigureJob> read_jobs(const std::filesystem::path& file, const std::string& only);

/// Checked, not yet written. Runs and ceilings of a job are found beside `folder` first (empty: as from the
/// current directory), then runs by name. Throws UsageError.
std::vector<Drawing> drawings_of(const std::vector<FigureJob>& jobs, const std::filesystem::path& folder);

/// Makes all the drawings before it writes the first file, so that what is wrong with one leaves none. Prints
/// a line a file; what was left out goes to stderr. Throws as drawings_of does.
void draw_all(const std::vector<FigureJob>& jobs, const std::filesystem::path& folder);

}  // namespace uotbench
