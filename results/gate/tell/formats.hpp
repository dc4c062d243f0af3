// A report of the gate as JSON, and as those who run it read it; and recorded times to prove the gate with.
#pragma once

#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/gate/gate.hpp"

namespace uotbench {

/// With "headline" and "counts" (of verdicts, by name) in addition, which reading ignores.
Json to_json(const GateReport& report);
Json to_json(const GateCase& one);
Json to_json(const TimeVerdict& time);
Json to_json(const BisectReport& report);
/// Throws Error naming the key that is missing or of the wrong type.
GateReport gate_report_from(const Json& json);

/// For people: one line that sums up, a table of what is not plainly ok, and what could have been found of
/// the rest. GitHub-flavoured Markdown.
std::string markdown_of(const GateReport& report);
/// JUnit XML as Jenkins and GitLab read it: failure = regressed, error = missing or failed, skipped =
/// inconclusive, incomparable or new.
std::string junit_of(const GateReport& report);
/// Workflow commands (::error …, ::warning …, ::notice …), one line each; nothing where all is plainly ok.
/// GitHub shows ten of a kind a step: the tenth says how many more there are.
std::string github_of(const GateReport& report);

// Recorded times of fresh processes that ran the same code, to prove the gate with: replayed as if half of
// them were a candidate's, nothing may be found.

/// The file is JSON: {"about", "recorded", "machine", "cases": {ID: {"seconds": [...]}}}.
struct GateTrace {
  struct Case {
    std::string id;
    /// One a process, in the order they ran: the median of its samples. Where several cases were recorded
    /// they took turns, so the values of one are as far apart in time as in a session of all.
    std::vector<double> seconds;
  };
  std::string about;     ///< how it was recorded, and what else the machine did
  std::string recorded;  ///< UTC
  Document machine = {};
  std::vector<Case> cases;
};

/// The file's text: times with 5 digits, of which the noise leaves 2 or 3, and a case a line.
std::string text_of(const GateTrace& trace);

}  // namespace uotbench
