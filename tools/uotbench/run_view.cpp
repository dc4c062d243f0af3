#include "tools/uotbench/run_view.hpp"

#include <fmt/format.h>

#include "results/cells.hpp"
#include "tools/uotbench/text_table.hpp"

namespace uotbench {

std::string table_of(const RunView& view) {
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
    for (const auto& member : group.cases) {
      Cells cells = cells_of(member, usual);
      table.row({"  " + cells.label, std::move(cells.median), std::move(cells.noise),
                 std::move(cells.bandwidth), std::move(cells.speedup), std::move(cells.error),
                 std::move(cells.status)});
    }
  }
  std::string text;
  for (const auto& warning : view.warnings) text += "warning: " + warning + '\n';
  text += table.text();
  if (view.reference.names_axes()) text += fmt::format("\nspeedups are over {}\n", view.reference.text());
  return text;
}

std::string signpost(const Run& run, const std::string& command) {
  const std::string file = run.path.string();
  return fmt::format("run file: {}\nnext:     {}\n", file,
                     run.unfinished.empty() ? command : "the same command with --resume --output " + file);
}

}  // namespace uotbench
