// A report of the gate as JSON, and as those who run it read it.
#pragma once

#include <string>

#include "results/gate/bisect.hpp"
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

}  // namespace uotbench
