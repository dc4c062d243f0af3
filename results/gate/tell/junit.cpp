// JUnit XML has no standard. This is what the schema of Jenkins' xUnit plugin (junit-10.xsd) and GitLab's
// reader both take: times with three decimals at most, stamps without a zone.
#include <fmt/format.h>

#include <algorithm>

#include "results/base/text.hpp"
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

}  // namespace uotbench
