// uotbench show: the tables of a stored run.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/protocol/suggest.hpp"
#include "results/error.hpp"
#include "results/run_file.hpp"
#include "results/statistics.hpp"
#include "results/units.hpp"
#include "roofline/counters_table.hpp"
#include "roofline/figure_spec.hpp"
#include "roofline/model.hpp"
#include "tools/uotbench/command.hpp"
#include "tools/uotbench/counters_view.hpp"
#include "tools/uotbench/run_view.hpp"
#include "tools/uotbench/text_layout.hpp"

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

struct Options {
  std::string run, baseline;
  bool json = false, counters = false;
};

/// What --baseline names; null where it is not given.
Json baseline_of(const Options& options, const Run& run) {
  if (options.baseline.empty()) return nullptr;
  if (!options.counters)
    throw UsageError("--baseline is what fewer misses are told against: give --counters, too");
  Json over = parse_over(options.baseline);
  std::set<std::string> known;
  for (const auto& record : run.records) known.insert(record.variant);
  if (over.contains("variant") && !known.contains(over["variant"].get<std::string>())) {
    const std::vector<std::string> names(known.begin(), known.end());
    const auto name = over["variant"].get<std::string>();
    throw UsageError(fmt::format("--baseline {}: no case of \"{}\"{}; there are: {}", options.baseline, name,
                                 did_you_mean(name, names), shortened(names, 12)));
  }
  return over;
}

void show_counters(const RunView& view, const Json& baseline, bool json) {
  if (json) {
    fmt::print("{}\n", counters_json(view, baseline).dump(2, ' ', false, Json::error_handler_t::replace));
    return;
  }
  const Terminal terminal = terminal_of(stdout);
  const std::string warned = warnings(view.run->warnings, terminal);
  fmt::print("{}{}\n{}", warned.empty() ? "" : warned + '\n',
             text_of(counters_tables(view, baseline), terminal),
             signpost(*view.run, fmt::format("uotbench report {} -o report.html", view.run->path.string())));
}

void show_times(const RunView& view, bool json) {
  if (json) {
    fmt::print("{}\n", json_of(view).dump(2));
    return;
  }
  const Run& run = *view.run;
  const std::string file = run.path.string();
  fmt::print("{}\n", table_of(view, terminal_of(stdout)));
  if (const auto start = median_start(run))
    fmt::print("worker start to first sample: {} (median)\n", format_seconds(*start));
  fmt::print("{}", signpost(run, fmt::format("uotbench show {} {}", file,
                                             has_counters(view) ? "--counters" : "--json")));
}

}  // namespace

void add_show(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<Options>();
  auto* command = program.add_subcommand("show", "print the tables of a stored run");
  command->add_option("RUN", options->run, "a run file, or a sweep's name: its newest run in results/runs")
      ->required();
  command->add_flag("--json", options->json, "print the rows as JSON, in base units");
  command->add_flag("--counters", options->counters,
                    "what was counted: cache misses, memory traffic against the work model, their sources");
  command
      ->add_option("--baseline", options->baseline,
                   "with --counters: what fewer misses are told against, as uot/numpy_order; default: the "
                   "sweep's speedup_over, else each group's first variant")
      ->type_name("VARIANT");
  command->footer(
      "Examples:\n"
      "  uotbench show quickstart\n"
      "  uotbench show quickstart --counters --baseline uot/numpy_order");
  command->callback([options, &chosen] {
    chosen = [options] {
      const Run run = read_run(find_run(options->run));
      const RunView view = view_under_roofs(run);
      const Json baseline = baseline_of(*options, run);
      if (options->counters)
        show_counters(view, baseline, options->json);
      else
        show_times(view, options->json);
      return exit_ok;
    };
  });
}

}  // namespace uotbench
