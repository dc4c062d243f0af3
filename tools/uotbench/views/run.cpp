#include "tools/uotbench/views/run.hpp"

#include <fmt/format.h>

#include "results/base/error.hpp"
#include "results/view/run_table.hpp"
#include "results/view/view_warnings.hpp"
#include "tools/uotbench/views/text_table.hpp"

namespace uotbench {

std::string table_of(const RunView& view, const Terminal& terminal) {
  Table table = run_table(view, AbsentWorkers::left_out);
  const std::vector<std::string> notes = std::move(table.notes);
  const bool any = !table.rows.empty();
  std::string text = warnings(view.warnings, terminal);
  if (!text.empty()) text += '\n';
  if (any) text += text_rows(std::move(table), terminal);
  if (any && !notes.empty()) text += '\n';
  for (const auto& note : notes) text += paragraph("", on_one_line(note), terminal, Style::plain, 2);
  if (view.reference.names_axes())
    text += '\n' + paragraph("", fmt::format("speedups are over {}", view.reference.text()), terminal);
  return text;
}

std::string signpost(const Run& run, const std::string& command) {
  const std::string next = is_unfinished(run) ? finishing_command(run) : command;
  return fmt::format("run file: {}\nnext:     {}\n", on_one_line(run.path.string()), on_one_line(next));
}

}  // namespace uotbench
