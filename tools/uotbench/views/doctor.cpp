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

}  // namespace uotbench
