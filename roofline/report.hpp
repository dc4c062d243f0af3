// A page, or a summary, of stored runs: what was run, where, what came of it, and what to doubt.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "results/view.hpp"
#include "roofline/ceilings.hpp"

namespace uotbench {

struct ReportFigure {
  std::string title;    ///< "Roofline"
  std::string caption;  ///< what it shows, and of which runs
  std::string svg;      ///< an <svg> element; empty: it could not be drawn
  std::string missing;  ///< why; empty where it was
};

/// A table of texts beside that of the cases, such as what models predict or what was counted.
struct ReportTable {
  std::string title;
  std::string about;                           ///< what it shows, and where that is from
  std::vector<std::string> columns;            ///< the first names the row, the others hold numbers
  std::vector<std::vector<std::string>> rows;  ///< one of a single text stands above those that follow it
  std::vector<std::size_t> words = {};         ///< columns beside the first that hold words
  std::vector<std::string> notes = {};         ///< below it

  bool is_heading(const std::vector<std::string>& row) const { return row.size() == 1 && columns.size() > 1; }
  bool holds_words(std::size_t column) const {
    return column == 0 || std::find(words.begin(), words.end(), column) != words.end();
  }
};

struct Report {
  std::vector<const RunView*> runs;
  std::vector<ReportFigure> figures = {};
  std::vector<ReportTable> tables = {};
};

/// The figures of these runs, drawn; one that cannot be drawn says why. `ceilings`: instead of the runs' own.
std::vector<ReportFigure> report_figures(const std::vector<const RunView*>& runs,
                                         const std::vector<Ceilings>& ceilings = {});

/// One page that needs nothing beside itself: no network, no other file. Texts from runs are escaped, figures
/// are taken as they are. Its content security policy lets nothing run but its own script.
std::string html_of(const Report& report);

/// A summary in GitHub's Markdown that fits a pull request (65,536 characters) for any run: of a long group
/// the fastest, of many groups the first, the others counted. Figures are left out.
std::string markdown_of(const Report& report);
/// One of the report's tables, whole.
std::string markdown_of(const ReportTable& table);

}  // namespace uotbench
