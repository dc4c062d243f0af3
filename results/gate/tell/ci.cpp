// A report as CI systems show it.
//
// JUnit XML has no standard. This is what the schema of Jenkins' xUnit plugin (junit-10.xsd) and GitLab's
// reader both take: times with three decimals at most, stamps without a zone.
//
// Workflow commands of GitHub Actions: what has a meaning in them is escaped as GitHub's own toolkit does it
// (actions/toolkit, packages/core, command.ts).
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/gate/gate.hpp"
#include "results/gate/tell/formats.hpp"

namespace uotbench {
namespace {

struct Totals {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
};

/// The element that stands in a test that did not pass; empty: it passed.
const char* element_of(const GateReport& report, const GateCase& one) {
  switch (one.verdict) {
    case Verdict::regressed:
      return "failure";
    case Verdict::missing:
    case Verdict::failed:
      return allowed_missing(report, one) ? "skipped" : "error";
    case Verdict::inconclusive:
    case Verdict::incomparable:
    case Verdict::added:
      return "skipped";
    default:
      return "";
  }
}

void count(Totals& totals, const std::string& element) {
  ++totals.tests;
  totals.failures += element == "failure";
  totals.errors += element == "error";
  totals.skipped += element == "skipped";
}

std::string test(const std::string& group, const std::string& name, const std::string& element,
                 const std::string& type, const std::string& message, const std::string& output) {
  std::string text =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n", xml_escaped(group), xml_escaped(name));
  if (!element.empty())
    text += fmt::format("      <{} type=\"{}\" message=\"{}\"/>\n", element, xml_escaped(type),
                        xml_escaped(message));
  if (!output.empty()) text += fmt::format("      <system-out>{}</system-out>\n", xml_escaped(output));
  return text + "    </testcase>\n";
}

/// The variant, as a class is named: uot.map_uot.
std::string class_of(const std::string& id) {
  std::string variant = id.substr(0, id.find('@'));
  if (const auto colon = variant.find(':'); colon != std::string::npos)
    variant = variant.substr(0, variant.rfind('/', colon));
  for (char& c : variant)
    if (c == '/') c = '.';
  return variant;
}

std::string output_of(const GateCase& one, const std::string& element) {
  std::string text;
  if (element.empty()) text += one.reason + '\n';
  for (const auto& counter : one.counters)
    text += fmt::format("{}: {}\n", name_of(counter.verdict), text_of(counter));
  return text;
}

/// Why the whole proves nothing, where it does not: readers take a file without failures for a pass.
std::string incomplete(const GateReport& report) {
  if (report.interrupted && compared_in(report) > 0) return "interrupted: not all cases were measured";
  if (std::ranges::none_of(report.cases, is_decided)) return headline_of(report);
  return report.undecided.value_or("");
}

std::string property(const char* name, const std::string& value) {
  return value.empty()
             ? ""
             : fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml_escaped(value));
}

}  // namespace

std::string junit_of(const GateReport& report) {
  Totals totals;
  std::string tests;
  for (const auto& one : report.cases) {
    const std::string element = element_of(report, one);
    count(totals, element);
    tests +=
        test(class_of(one.id), one.id, element, name_of(one.verdict), one.reason, output_of(one, element));
  }
  if (const std::string why = incomplete(report); !why.empty()) {
    count(totals, "error");
    std::string said;
    if (report.obstacle)
      for (const auto& line : report.obstacle->said) said += line + '\n';
    tests += test("uotbench", "gate", "error", "incomplete", why, said);
  }
  std::string said;
  if (report.control) said += "control arm: " + *report.control + '\n';
  for (const auto& warning : report.warnings) said += "warning: " + warning + '\n';
  for (const auto& note : report.notes) said += note + '\n';
  for (const auto& line : lines_of(report)) said += line + '\n';
  const std::string stamp = report.started.substr(0, report.started.find('Z'));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"uotbench gate\" tests=\"{0}\" failures=\"{1}\" errors=\"{2}\" time=\"{4:.3f}\">\n"
      "  <testsuite name=\"{5}\" tests=\"{0}\" failures=\"{1}\" errors=\"{2}\" skipped=\"{3}\" "
      "time=\"{4:.3f}\"{6}>\n"
      "    <properties>\n{7}    </properties>\n{8}{9}  </testsuite>\n</testsuites>\n",
      totals.tests, totals.failures, totals.errors, totals.skipped, report.elapsed,
      xml_escaped(report.sweep.empty() ? "gate" : report.sweep),
      stamp.empty() ? "" : fmt::format(" timestamp=\"{}\"", xml_escaped(stamp)),
      property("headline", headline_of(report)) + property("baseline", report.baseline.about) +
          property("candidate", report.candidate.about) + property("run", report.run),
      tests, said.empty() ? "" : fmt::format("    <system-out>{}</system-out>\n", xml_escaped(said)));
}

namespace {

std::string percent_encoded(const std::string& text, std::string_view special) {
  std::string out;
  for (const char c : text)
    if (special.find(c) != std::string_view::npos)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  return out;
}

std::string command_data(const std::string& text) { return percent_encoded(text, "%\r\n"); }
std::string command_property(const std::string& text) { return percent_encoded(text, "%\r\n:,"); }

struct Annotation {
  std::string title, text;
};

const char* level_of(const GateReport& report, const GateCase& one) {
  switch (one.verdict) {
    case Verdict::regressed:
    case Verdict::missing:
    case Verdict::failed:
      return allowed_missing(report, one) ? "notice" : "error";
    case Verdict::inconclusive:
    case Verdict::incomparable:
      return "warning";
    default:
      return plainly_ok(one) ? "" : "notice";
  }
}

std::string lines(const std::string& level, const std::vector<Annotation>& annotations) {
  constexpr std::size_t shown_by_github = 10;
  std::string text;
  for (std::size_t i = 0; i < annotations.size(); ++i) {
    const std::size_t left = annotations.size() - i;
    if (i + 1 == shown_by_github && left > 1)
      return text + fmt::format("::{} title=uotbench gate::and {} more\n", level, left);
    text += fmt::format("::{} title={}::{}\n", level, command_property(annotations[i].title),
                        command_data(annotations[i].text));
  }
  return text;
}

std::string seconds(const std::optional<double>& value) { return value ? format_seconds(*value) : "-"; }

std::string verdict_text(const GateReport& report, const GateCase& one) {
  const Verdict verdict = one.verdict;
  const bool loud = verdict == Verdict::regressed || verdict == Verdict::failed ||
                    (verdict == Verdict::missing && !allowed_missing(report, one));
  if (verdict == Verdict::ok && one.accepted) return "ok, accepted";
  return loud ? fmt::format("**{}**", name_of(verdict)) : name_of(verdict);
}

/// The worst first; those of one verdict in the report's order.
std::string table_of_rest(const GateReport& report) {
  constexpr Verdict order[]{Verdict::regressed,    Verdict::failed, Verdict::missing,  Verdict::inconclusive,
                            Verdict::incomparable, Verdict::added,  Verdict::improved, Verdict::ok};
  std::string rows;
  for (const Verdict verdict : order)
    for (const auto& one : report.cases) {
      if (one.verdict != verdict || plainly_ok(one)) continue;
      rows +=
          fmt::format("| {} | {} | {} | {} | {} | {} |\n", markdown_code(one.id), verdict_text(report, one),
                      one.time ? ratio_text(*one.time) : "-", seconds(one.baseline_seconds),
                      seconds(one.candidate_seconds), markdown_escaped(one.reason));
    }
  if (rows.empty()) return "";
  return "| case | verdict | candidate / baseline | baseline | candidate | why |\n"
         "|:---|:---|---:|---:|---:|:---|\n" +
         rows + '\n';
}

std::string table_of_ok(const GateReport& report) {
  const auto ok = std::ranges::count_if(report.cases, plainly_ok);
  if (ok == 0) return "";
  std::string text = fmt::format(
      "<details><summary>{} ok, and the smallest slowdown that would have been found</summary>\n\n"
      "| case | candidate / baseline | would have been found | counters |\n|:---|---:|---:|---:|\n",
      ok);
  for (const auto& one : report.cases)
    if (plainly_ok(one))
      text += fmt::format("| {} | {} | {} | {} |\n", markdown_code(one.id),
                          one.time ? ratio_text(*one.time) : "-", one.time ? detectable_text(*one.time) : "-",
                          one.counters.size());
  return text + "\n</details>\n\n";
}

/// The last lines of a build that failed, each as code: they may hold anything.
std::string build_lines(const GateReport& report) {
  if (!report.obstacle || report.obstacle->said.empty()) return "";
  std::string text = "It last said:\n\n";
  for (const auto& line : report.obstacle->said)
    if (!line.empty()) text += "- " + markdown_code(line) + '\n';
  return text + '\n';
}

std::string trimmed_left(const std::string& text) {
  return text.substr(std::min(text.size(), text.find_first_not_of(' ')));
}

std::string about(const GateReport& report) {
  std::string text = "sweep " + markdown_code(report.sweep);
  if (!report.baseline.about.empty()) text += ", baseline " + markdown_code(report.baseline.about);
  if (!report.candidate.about.empty()) text += ", candidate " + markdown_code(report.candidate.about);
  if (!report.started.empty()) text += ", " + markdown_escaped(report.started);
  if (report.elapsed > 0) text += ", " + format_wait(report.elapsed);
  if (!report.run.empty()) text += ", samples in " + markdown_code(report.run);
  return text;
}

}  // namespace

std::string github_of(const GateReport& report) {
  std::vector<Annotation> errors, warnings, notices;
  const std::string whole = "uotbench gate";
  if (exit_code_of(report) != 0) {
    std::string said = headline_of(report);
    if (report.obstacle)
      for (const auto& line : report.obstacle->said) said += '\n' + on_one_line(line);
    errors.push_back({whole, said});
  }
  if (report.undecided) errors.push_back({whole, *report.undecided});
  if (report.control) warnings.push_back({whole, "control arm: " + *report.control});
  for (const auto& warning : report.warnings) warnings.push_back({whole, warning});
  for (const auto& one : report.cases) {
    const std::string level = level_of(report, one);
    if (level.empty()) continue;
    auto& list = level == "error" ? errors : level == "warning" ? warnings : notices;
    list.push_back(
        {fmt::format("{} {}", one.verdict == Verdict::ok ? "accepted" : name_of(one.verdict), one.id),
         on_one_line(one.reason)});
  }
  return lines("error", errors) + lines("warning", warnings) + lines("notice", notices);
}

std::string markdown_of(const GateReport& report) {
  std::string text =
      fmt::format("### uotbench gate: {}\n\n{}\n\n", markdown_escaped(headline_of(report)), about(report));
  if (report.control) text += "- **control arm:** " + markdown_escaped(*report.control) + '\n';
  if (report.undecided) text += "- **undecided:** " + markdown_escaped(*report.undecided) + '\n';
  for (const auto& warning : report.warnings) text += "- warning: " + markdown_escaped(warning) + '\n';
  if (report.control || report.undecided || !report.warnings.empty()) text += '\n';
  text += build_lines(report);
  text += table_of_rest(report) + table_of_ok(report);
  for (const auto& note : report.notes) text += "- " + markdown_escaped(note) + '\n';
  for (const auto& line : lines_of(report))
    text += (line.starts_with("  ") ? "  - " : "- ") + markdown_escaped(trimmed_left(line)) + '\n';
  return text;
}

}  // namespace uotbench
