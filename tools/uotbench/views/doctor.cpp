#include "tools/uotbench/views/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

Style style_of(Finding::Level level) {
  switch (level) {
    case Finding::Level::ok:
      return Style::good;
    case Finding::Level::note:
      return Style::plain;
    case Finding::Level::warning:
      return Style::warning;
    case Finding::Level::error:
      return Style::bad;
  }
  return Style::plain;
}

}  // namespace

const char* name_of(Finding::Level level) {
  switch (level) {
    case Finding::Level::ok:
      return "ok";
    case Finding::Level::note:
      return "note";
    case Finding::Level::warning:
      return "warning";
    case Finding::Level::error:
      return "error";
  }
  return "?";
}

std::string text_of(std::vector<Finding> findings, const Terminal& terminal) {
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) { return a.level > b.level; });
  std::string text;
  for (const auto& finding : findings) {
    text += paragraph(fmt::format("{:<9}", name_of(finding.level)), finding.what, terminal,
                      style_of(finding.level));
    if (!finding.cost.empty()) text += paragraph("         costs: ", finding.cost, terminal);
    if (!finding.mend.empty()) text += fmt::format("         mend:  {}\n", finding.mend);
  }
  return text;
}

std::string text_of(const std::vector<SourceState>& states, const Terminal& terminal) {
  using enum Table::Holds;
  Table table{.columns = {{"source"},
                          {"kernel"},
                          {"counter"},
                          {"expected", numbers},
                          {"counted", numbers},
                          {"ratio", numbers},
                          {""}}};
  std::size_t off = 0, checks = 0;
  bool any = false;
  std::string below;
  for (const auto& state : states) {
    std::vector<std::string> reasons;
    const bool counts = std::ranges::any_of(
        state.checks, [](const CounterCheck& check) { return check.counted.has_value(); });
    any = any || counts;
    for (const auto& check : state.checks) {
      checks += check.counted.has_value();
      off += check.is_off();
      if (!check.counted && std::ranges::find(reasons, check.reason) == reasons.end())
        reasons.push_back(check.reason);
      if (!counts) continue;
      table.row({check.source,
                 check.variant,
                 check.counter,
                 fmt::format("{:.0f}", check.expected),
                 check.counted ? fmt::format("{:.0f}", *check.counted) : "-",
                 check.counted ? fmt::format("{:.3f}", *check.counted / check.expected) : "-",
                 {check.is_off()  ? "more than 10% off"
                  : check.counted ? "ok"
                                  : "not counted",
                  check.is_off()  ? Style::bad
                  : check.counted ? Style::good
                                  : Style::faint}});
    }
    for (const auto& reason : reasons)  // some name their source themselves
      below += paragraph(reason.starts_with(state.name + ": ") ? "" : state.name + ": ", reason, terminal);
    if (!state.reason.empty()) below += paragraph(state.name + ": ", state.reason, terminal);
    if (!state.mend.empty()) below += "  " + state.mend + "\n";
    if (state.reason.empty() && state.checks.empty())
      below += paragraph(state.name + ": ", "can count; nothing it counts is known beforehand", terminal);
  }
  std::string text = any ? text_rows(std::move(table), terminal) : "";
  if (!below.empty()) text += (text.empty() ? "" : "\n") + below;
  if (checks > 0)
    text +=
        fmt::format("\n{} of {} within 10% of what the kernels are known to move\n", checks - off, checks);
  return text;
}

}  // namespace uotbench
