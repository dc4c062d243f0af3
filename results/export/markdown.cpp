#include <fmt/format.h>

#include "results/base/text.hpp"
#include "results/export/export.hpp"
#include "results/view/cells.hpp"

namespace uotbench {

std::string to_markdown(const RunView& view) {
  std::string text;
  for (const auto& warning : view.warnings) text += "- warning: " + markdown_escaped(warning) + '\n';
  if (!view.warnings.empty()) text += '\n';
  const auto columns = columns_of(view);
  for (const auto& group : view.groups) {
    text += "### " + markdown_escaped(group.title) + "\n\n";
    for (const auto& column : columns) text += fmt::format("| {} ", column.title);
    text += "|\n";
    for (const auto& column : columns) text += column.number ? "|---:" : "|:---";
    text += "|\n";
    const double usual = usual_tolerance(group);
    for (const auto& member : group.cases) {
      const Cells cells = cells_of(member, usual);
      for (const auto& column : columns) text += "| " + markdown_escaped(cells.*column.text) + ' ';
      text += "|\n";
    }
    text += '\n';
  }
  for (const auto& note : view.notes) text += "- " + markdown_escaped(note) + '\n';
  if (!view.notes.empty() && view.reference.names_axes()) text += '\n';
  if (view.reference.names_axes())
    text += fmt::format("Speedups are over {}.\n", markdown_escaped(view.reference.text()));
  return text;
}

}  // namespace uotbench
