// A page, or a summary, of stored runs: what was run, where, what came of it, and what to doubt.
#pragma once

#include <string>
#include <vector>

#include "results/view/table.hpp"
#include "results/view/view.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {

struct ReportFigure {
  std::string title;    ///< "Roofline"; of what could not be drawn for one reason, all: "Roofline, Sizes"
  std::string caption;  ///< what it shows, and of which runs
  std::string svg;      ///< an <svg> element; empty: it could not be drawn
  std::string missing;  ///< why; empty where it was
};

struct Report {
  std::vector<const RunView*> runs;
  std::vector<ReportFigure> figures = {};
  std::vector<Table> tables = {};
};

/// The figures of these runs, drawn; one that cannot be drawn says why. `ceilings`: instead of the runs' own.
/// `analyse`: of the machine code that records have.
std::vector<ReportFigure> report_figures(const std::vector<const RunView*>& runs,
                                         const std::vector<Ceilings>& ceilings = {},
                                         const AnalyseCode& analyse = {});

/// One page that needs nothing beside itself: no network, no other file. Texts from runs are escaped, figures
/// are taken as they are. Its content security policy lets nothing run but its own script.
std::string html_of(const Report& report);

/// A summary in GitHub's Markdown that fits a pull request (65,536 characters) for any run: of a long group
/// the fastest, of many groups the first, the others counted. Figures are left out.
std::string markdown_of(const Report& report);

}  // namespace uotbench
