#include <fmt/format.h>

#include "results/cells.hpp"
#include "results/error.hpp"
#include "results/export.hpp"

namespace uotbench {

std::string markdown_escaped(const std::string& text) {
  std::string out;
  for (const char c : on_one_line(text)) {
    if (std::string_view("\\`*_{}[]<>#|~&$").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string to_markdown(const RunView& view) {
  std::string text;
  for (const auto& warning : view.warnings) text += "- warning: " + markdown_escaped(warning) + '\n';
  if (!view.warnings.empty()) text += '\n';
  for (const auto& group : view.groups) {
    text += "### " + markdown_escaped(group.title) +
            "\n\n"
            "| case | median | noise | bandwidth | speedup | error | status |\n"
            "|:---|---:|---:|---:|---:|---:|:---|\n";
    const double usual = usual_tolerance(group);
    for (const auto& member : group.cases) {
      const Cells cells = cells_of(member, usual);
      for (const auto* cell : {&cells.label, &cells.median, &cells.noise, &cells.bandwidth, &cells.speedup,
                               &cells.error, &cells.status})
        text += "| " + markdown_escaped(*cell) + ' ';
      text += "|\n";
    }
    text += '\n';
  }
  if (view.reference.names_axes())
    text += fmt::format("Speedups are over {}.\n", markdown_escaped(view.reference.text()));
  return text;
}

}  // namespace uotbench
