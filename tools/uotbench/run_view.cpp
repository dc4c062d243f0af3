#include "tools/uotbench/run_view.hpp"

#include <fmt/format.h>

#include "results/cells.hpp"
#include "results/error.hpp"
#include "tools/uotbench/text_table.hpp"

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
  TextTable table({{"case"},
                   {"median", Align::right},
                   {"noise", Align::right},
                   {"bandwidth", Align::right},
                   {"speedup", Align::right},
                   {"error", Align::right},
                   {"status"}});
  for (const auto& group : view.groups) {
    table.heading(group.title);
    const double usual = usual_tolerance(group);
    const CaseView* const best = fastest(group);
    for (const auto& member : group.cases) {
      const Cells cells = cells_of(member, usual);
      const Record& record = *member.record;
      const Style style = &member == best ? Style::strong : Style::plain;
      table.row({{"  " + cells.label, style},
                 {cells.median, style},
                 cells.noise,
                 cells.bandwidth,
                 cells.speedup,
                 cells.error,
                 {name_of(record.status), style_of(record.status), on_one_line(record.reason.value_or(""))}});
    }
  }
  std::string text = warnings(view.warnings, terminal);
  if (!text.empty()) text += '\n';
  text += table.text(terminal);
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
