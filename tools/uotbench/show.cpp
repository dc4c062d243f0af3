// uotbench show: the table of a stored run.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <vector>

#include "results/run_file.hpp"
#include "results/statistics.hpp"
#include "results/units.hpp"
#include "roofline/model.hpp"
#include "tools/uotbench/command.hpp"
#include "tools/uotbench/run_view.hpp"

namespace uotbench {
namespace {

/// Seconds from starting a worker to its first sample, making arrays left out; absent where none was timed.
std::optional<double> median_start(const Run& run) {
  std::vector<double> starts;
  for (const auto& record : run.records)
    if (record.time)
      for (const auto& process : record.time->processes)
        if (process.first_sample) starts.push_back(*process.first_sample);
  return starts.empty() ? std::nullopt : std::optional(median(starts));
}

}  // namespace

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
      const RunView view = view_under_roofs(run);
      if (options->json) {
        fmt::print("{}\n", json_of(view).dump(2));
      } else {
        fmt::print("{}\n", table_of(view, terminal_of(stdout)));
        if (const auto start = median_start(run))
          fmt::print("worker start to first sample: {} (median)\n", format_seconds(*start));
        fmt::print("{}", signpost(run, fmt::format("uotbench show {} --json", run.path.string())));
      }
      return exit_ok;
    };
  });
}

}  // namespace uotbench
