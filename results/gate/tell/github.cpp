// Workflow commands of GitHub Actions. What has a meaning in them is escaped as GitHub's own toolkit does it
// (actions/toolkit, packages/core, command.ts).
#include <fmt/format.h>

#include <vector>

#include "results/base/error.hpp"
#include "results/gate/tell/formats.hpp"
#include "results/gate/text.hpp"

namespace uotbench {
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

}  // namespace uotbench
