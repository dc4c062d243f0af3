// A run in other programs' formats.
#pragma once

#include <string>
#include <vector>

#include "results/view/view.hpp"

namespace uotbench {

/// Google Benchmark's JSON: one row a process, with aggregates over processes; times in nanoseconds. What the
/// record does not know is not there. cpu_time is the CPU time of the thread that takes the samples, where
/// the worker reported it; Google's compare.py leaves out rows without one. Cases without a time have
/// error_occurred.
std::string to_gbench(const RunView& view);

/// One line a case, every axis a column, base units in the columns' names; quoted as RFC 4180 says, lines end
/// in \n. An absent value is an empty field. low_seconds and high_seconds are the fastest and the slowest
/// process's median; of one process the 95% interval of its median. Every operation that a work model counts
/// is a column; every counter and metric, too, per iteration, with one more for its source.
std::string to_csv(const RunView& view);
/// One line a raw sample, in the order in which they were taken.
std::string to_csv_of_samples(const RunView& view);

/// How a Markdown table is made.
struct MarkdownOptions {
  std::vector<std::string> columns = {};  ///< as the table's titles name them, in this order; empty: all
  bool wide = false;                      ///< one table, with the columns of each problem next to each other
};

/// The tables that `show` prints, one a group. Throws UsageError for a column that is not there.
std::string to_markdown(const RunView& view, const MarkdownOptions& options = {});

/// How a LaTeX table is made.
struct TexOptions {
  /// As the table's titles name them, in this order; empty: all but the error, which a paper states of all at
  /// once, and a status that is ok for all.
  std::vector<std::string> columns = {};
  bool macros =
      true;  ///< values as \newcommand, before the table: of `columns`, or of all where these are empty
};

/// A booktabs table and \newcommand values. A command's name is the case's id in letters: words begin with a
/// capital, digits are words, and Median, Bandwidth, Roof or Speedup ends it. Numbers of a case whose spread
/// is above 100% have a dagger, which the table's last line explains. Throws UsageError for a column that is
/// not there.
std::string to_tex(const RunView& view, const TexOptions& options = {});

}  // namespace uotbench
