#include "tools/uotbench/views/gate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/gate/gate.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

Style style_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return Style::plain;
    case Verdict::improved:
      return Style::good;
    case Verdict::regressed:
    case Verdict::missing:
    case Verdict::failed:
      return Style::bad;
    default:
      return Style::warning;
  }
}

/// What went wrong first, then what is unknown, then what is good to know.
constexpr Verdict order[]{Verdict::regressed,    Verdict::failed,   Verdict::missing, Verdict::incomparable,
                          Verdict::inconclusive, Verdict::improved, Verdict::added,   Verdict::ok};

std::string shown_name(Verdict verdict) {
  std::string name = name_of(verdict);
  if (style_of(verdict) == Style::bad)
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

/// What was timed of a case whose reason is of something else: a counter decided. Empty: it says the ratio.
std::string time_beside(const GateCase& one) {
  if (!one.time || one.time->ratio <= 0) return "";
  const std::string ratio = ratio_text(*one.time);
  if (one.reason.find(ratio) != std::string::npos) return "";
  std::string text = "time " + ratio;
  if (one.baseline_seconds && one.candidate_seconds)
    text += fmt::format(", {} -> {}", format_seconds(*one.baseline_seconds),
                        format_seconds(*one.candidate_seconds));
  return text + fmt::format(": {}", name_of(one.time->verdict));
}

}  // namespace

std::string text_of(const GateReport& report, const Terminal& terminal) {
  std::string text;
  for (const Verdict verdict : order)
    for (const auto& one : report.cases) {
      if (one.verdict != verdict || plainly_ok(one)) continue;
      const std::string head = shown_name(one.verdict) + "  ";
      text += paragraph(styled(head, style_of(one.verdict), terminal), one.id, terminal);
      text += paragraph("    ", on_one_line(one.reason), terminal);
      if (const std::string time = time_beside(one); !time.empty())
        text += paragraph("    ", on_one_line(time), terminal);
    }
  if (report.control) text += paragraph("control: ", on_one_line(*report.control), terminal, Style::warning);
  if (report.undecided)
    text += paragraph("undecided: ", on_one_line(*report.undecided), terminal, Style::warning);
  std::vector<std::string> doubts;  // workers' words are in them: no line of its own, no control characters
  for (const auto& warning : report.warnings) doubts.push_back(on_one_line(warning));
  text += warnings(doubts, terminal);
  for (const auto& note : report.notes)
    text += paragraph("note: ", on_one_line(note), terminal, Style::faint);
  for (const auto& line : lines_of(report)) text += paragraph("note: ", line, terminal, Style::faint);
  return text + fmt::format("{}: {} ({})\n", report.sweep, headline_of(report), format_wait(report.elapsed));
}

}  // namespace uotbench
