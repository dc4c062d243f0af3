#include "tools/uotbench/views/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/view/cells.hpp"
#include "tools/uotbench/views/text_table.hpp"

namespace uotbench {
namespace {

Style style_of(Status status) {
  if (status == Status::interrupted) return Style::warning;
  if (is_bad(status)) return Style::bad;
  return status == Status::ok ? Style::good : Style::faint;
}

}  // namespace

std::string table_of(const RunView& view, const Terminal& terminal) {
  using Align = TextTable::Align;
  const auto shown = columns_of(view);
  std::vector<TextTable::Column> titles;
  for (const auto& column : shown)
    titles.push_back({column.title, column.number ? Align::right : Align::left});
  TextTable table(titles);
  for (const auto& group : view.groups) {
    if (std::ranges::all_of(group.cases, &CaseView::worker_absent)) continue;
    table.heading(group.title);
    const double usual = usual_tolerance(group);
    const CaseView* const best = fastest(group);
    for (const auto& member : group.cases) {
      if (member.worker_absent) continue;
      const Cells cells = cells_of(member, usual);
      const Record& record = *member.record;
      const Style style = &member == best ? Style::strong : Style::plain;
      TextTable::Row row;
      for (const auto& column : shown) {
        if (column.text == &Cells::label)
          row.push_back({"  " + cells.label, style});
        else if (column.text == &Cells::median)
          row.push_back({cells.median, style});
        else if (column.text == &Cells::status)
          row.push_back(
              {name_of(record.status), style_of(record.status), on_one_line(record.reason.value_or(""))});
        else
          row.push_back({cells.*column.text});
      }
      table.row(row);
    }
  }
  std::string text = warnings(view.warnings, terminal);
  if (!text.empty()) text += '\n';
  const bool any = std::ranges::any_of(view.groups, [](const GroupView& group) {
    return !std::ranges::all_of(group.cases, &CaseView::worker_absent);
  });
  if (any) text += table.text(terminal);
  if (any && !view.notes.empty()) text += '\n';
  for (const auto& note : view.notes) text += paragraph("", on_one_line(note), terminal, Style::plain, 2);
  if (view.reference.names_axes())
    text += '\n' + paragraph("", fmt::format("speedups are over {}", view.reference.text()), terminal);
  return text;
}

std::string signpost(const Run& run, const std::string& command) {
  const std::string file = run.path.string();
  return fmt::format("run file: {}\nnext:     {}\n", file,
                     run.unfinished.empty() ? command : "the same command with --resume --output " + file);
}

}  // namespace uotbench
