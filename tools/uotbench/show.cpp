// uotbench show: the table of a stored run.
#include <fmt/format.h>

#include <memory>

#include "results/run_file.hpp"
#include "tools/uotbench/command.hpp"
#include "tools/uotbench/run_view.hpp"

namespace uotbench {

void add_show(CLI::App& program, Action& chosen) {
  struct Options {
    std::string run;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = program.add_subcommand("show", "print the table of a stored run");
  command->add_option("RUN", options->run, "a run file, or a sweep's name: its newest run in results/runs")
      ->required();
  command->add_flag("--json", options->json, "print the rows as JSON, in base units");
  command->footer("Example:\n  uotbench show quickstart");
  command->callback([options, &chosen] {
    chosen = [options] {
      const Run run = read_run(find_run(options->run));
      const RunView view = view_of(run);
      if (options->json) {
        fmt::print("{}\n", json_of(view).dump(2));
      } else {
        fmt::print("{}\nrun file: {}\n", table_of(view), run.path.string());
      }
      return exit_ok;
    };
  });
}

}  // namespace uotbench
