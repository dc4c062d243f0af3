// A run in other programs' formats.
#pragma once

#include <string>

#include "results/view/view.hpp"

namespace uotbench {

/// Google Benchmark's JSON: one row a process, with aggregates over processes; times in nanoseconds. What the
/// record does not know is not there, but for cpu_time, which readers insist on: the time by the record's own
/// clock. Cases without a time have error_occurred.
std::string to_gbench(const RunView& view);

/// One line a case, every axis a column, base units in the columns' names; quoted as RFC 4180 says, lines end
/// in \n. An absent value is an empty field. Every counter and metric is a column, per iteration, with one
/// more for its source.
std::string to_csv(const RunView& view);

/// The tables that `show` prints, one a group.
std::string to_markdown(const RunView& view);

/// A booktabs table and \newcommand values. A command's name is the case's id in letters: words begin with a
/// capital, digits are words, and Median, Bandwidth or Speedup ends it.
std::string to_tex(const RunView& view);

}  // namespace uotbench
