// gnuplot, started for one script.
#pragma once

#include <string>

namespace uotbench {

/// What gnuplot writes to its standard output for `script`, which sets a terminal and no output. Neither the
/// user's own settings nor the environment change it. Throws UsageError where there is no gnuplot (with what
/// to install), Error with its own words where it fails.
std::string gnuplot_output(const std::string& script);

}  // namespace uotbench
