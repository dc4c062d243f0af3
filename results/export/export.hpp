// Runs and tables in other programs' formats: one renderer a format, whatever a table shows.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/view/table.hpp"
#include "results/view/view.hpp"

namespace uotbench {

// Runs.

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

// Tables.

/// A cell's text as Markdown shows it, by what it is and in which column.
using MarkdownCell = std::function<std::string(const Table::Cell& cell, std::size_t column)>;

/// The lines of a table in GitHub's Markdown, without its title and notes; a heading is a row of its own.
std::string markdown_rows(const Table& table, const MarkdownCell& text_of);
/// What names a case, as a code span; and other texts. Both cut to what a page has room for.
std::string markdown_name(const std::string& text);
std::string markdown_text(const std::string& text);
/// Title, what the table shows, its rows and notes: those that fit into `space` characters, the others
/// counted.
std::string markdown_of(const Table& table, std::size_t space = std::numeric_limits<std::size_t>::max());
/// One after the other.
std::string markdown_of(const std::vector<Table>& tables);

/// The first column and those wanted, by title, in this order. Throws UsageError for a title that no column
/// has.
Table with_columns(const Table& table, const std::vector<std::string>& wanted);

/// One table of a table with headings: a row for each first cell, the columns of each heading next to each
/// other.
Table wide(const Table& table);

/// A tabular of the package booktabs.
std::string tex_rows(const Table& table);
/// Tabulars, with what they show and their notes as comments.
std::string tex_of(const std::vector<Table>& tables);

/// A section of an HTML page: title, what the table shows, rows, notes. Of a very long table the first rows.
std::string html_of(const Table& table);

/// A line of CSV (RFC 4180), ended.
std::string csv_line(const std::vector<std::string>& fields);
/// A line a cell, so that tables of any columns are one: table, group, row, column, value in its base unit,
/// text, source. What is absent is an empty field.
std::string csv_of(const std::vector<Table>& tables);

// Tables as the data of a page's script: every cell a text, the number behind it, and where that is from.

/// {"runs": [a table…], "sentences": […]}. Sentences are kept once: thousands of cells are from the same few
/// places.
class PageData {
 public:
  /// A table whose last column names a status: {"columns": [{"number": …}…], "groups": [headings], "rows":
  /// [[group, status, whether its name is strong, cell…]…]}. A cell is [text, the number of its sentence] or,
  /// of a number, [text, sentence, value in base units or null]. Texts are on one line.
  void add(const Table& table);
  Document document() const;

 private:
  std::size_t number_of(const std::string& sentence);

  std::vector<Document> tables_;
  std::map<std::string, std::size_t> numbers_{{"", 0}};
  std::vector<std::string> sentences_{""};
};

}  // namespace uotbench
