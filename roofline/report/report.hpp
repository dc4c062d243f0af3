// A run's report as one page, and a history as another; what every page of HTML begins and ends with, and how
// data gets into its script.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/history/history.hpp"
#include "results/view/quantity.hpp"
#include "results/view/table.hpp"
#include "results/view/view.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/model/ceilings.hpp"
#include "roofline/model/model.hpp"

namespace uotbench {

// A page, or a summary, of stored runs: what was run, where, what came of it, and what to doubt.

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

// What a report says of its runs, and where its numbers are from.

// Where a run's numbers come from, as names and values for a person.

struct Fact {
  std::string name, value;  ///< "-" where the run does not know
};

struct FactGroup {
  std::string title;
  std::vector<Fact> facts;
};

/// The run, its options, machine (machines, where it was merged), ceilings and workers' builds: all that its
/// first line tells, but the plan.
std::vector<FactGroup> facts_of(const RunView& view);

/// The sweep's name, else the file's.
std::string name_of(const Run& run);
/// "AMD EPYC, 2 cores, KVM, Debian GNU/Linux 12 (bookworm)"; empty where nothing is known.
std::string place_of(const Run& run);
/// "12 cases: 10 ok, 2 failed".
std::string outcome_of(const Run& run);
/// When it began: "2026-11-21 14:13:07 UTC"; empty where that is not known.
std::string start_of(const Run& run);

// Where each number of a case is from, in words.

/// Sentences on one line; empty where there is nothing to say.
class Sources {
 public:
  explicit Sources(const RunView& view);

  /// `column`: the title of one of the run's table.
  std::string of(const CaseView& member, std::string_view column) const;

 private:
  std::string label(const CaseView& member) const;  ///< its id, and what to doubt about its times
  std::string roof(const CaseView& member) const;
  std::string status(const CaseView& member) const;  ///< of a bad one: how to see it again
  std::string limits(const CaseView& member) const;

  const RunView& view_;
  CeilingsInTime ceilings_;
};

/// The run's table (results/view/quantity.hpp), every cell with its source.
Table cases_table(const RunView& view);

// A page of a history: a chart a case, with its steps.

/// An <svg> element: the times of one case's lines over the history's commits (counts, where it was never
/// timed), the levels between steps, a numbered mark a step, a dotted line where another machine or build
/// begins.
std::string history_chart(const History& history, const std::vector<const HistoryLine*>& lines);

/// One page that needs nothing beside itself, cases with open steps first.
std::string html_of(const History& history);

// Scripts of an HTML page and their data, whatever is in it.

/// As the text of a <script type="application/json"> element: no character in it can end the element or begin
/// a comment (HTML, section 4.12.1.3, "Restrictions for contents of script elements").
std::string json_in_script(const Json& value);

/// What a Content-Security-Policy calls a script, sha256-…, from its SHA-256 in hexadecimal.
std::string policy_hash(std::string_view hexadecimal);

// The page's style and script: roofline/report/page.css and page.js, compiled into the program.

extern const char* const page_style;
extern const char* const page_script;
extern const char* const page_script_hash;  ///< its SHA-256 in hexadecimal

// What all pages begin and end with.

/// Up to the beginning of its body. The content security policy lets nothing run but the page's own script.
std::string page_head(const std::string& title);
/// The script and its data, {"runs": […], "sentences": […]}; the end.
std::string page_end(const Json& data);

}  // namespace uotbench
