// uotbench bisect: which commit made a case slower?
#include "tools/uotbench/views/bisect.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "results/base/json.hpp"
#include "results/gate/tell/formats.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/gating/bisect.hpp"
#include "tools/uotbench/running/stop.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

int bisect(const BisectFlags& flags) {
  stop_on_signals();
  const BisectReport report = Bisect(flags).run();
  if (flags.gate.json)
    print_json(to_json(report));
  else
    fmt::print("{}", text_of(report, terminal_of(stdout)));
  return report.exit_code;
}

}  // namespace

void add_bisect(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<BisectFlags>();
  auto* command = program.add_subcommand("bisect", "find the commit that made a case slower");
  declare(*command, *flags);
  command->callback([flags, &chosen] { chosen = [flags] { return bisect(*flags); }; });
}

}  // namespace uotbench
