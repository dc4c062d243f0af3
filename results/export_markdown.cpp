#include <fmt/format.h>

#include "results/cells.hpp"
#include "results/export.hpp"

namespace uotbench {
namespace {

/// Text that Markdown takes as it is.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>#|~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string to_markdown(const RunView& view) {
  std::string text;
  for (const auto& warning : view.warnings) text += "- warning: " + escaped(warning) + '\n';
  if (!view.warnings.empty()) text += '\n';
  const auto columns = columns_of(view);
  for (const auto& group : view.groups) {
    text += "### " + escaped(group.title) + "\n\n";
    for (const auto& column : columns) text += fmt::format("| {} ", column.title);
    text += "|\n";
    for (const auto& column : columns) text += column.number ? "|---:" : "|:---";
    text += "|\n";
    const double usual = usual_tolerance(group);
    for (const auto& member : group.cases) {
      const Cells cells = cells_of(member, usual);
      for (const auto& column : columns) text += "| " + escaped(cells.*column.text) + ' ';
      text += "|\n";
    }
    text += '\n';
  }
  if (view.reference.names_axes())
    text += fmt::format("Speedups are over {}.\n", escaped(view.reference.text()));
  return text;
}

}  // namespace uotbench
