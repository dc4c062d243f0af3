// uotbench show: the tables of a stored run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/export/export.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/statistics/statistics.hpp"
#include "roofline/model/model.hpp"
#include "roofline/tables/tables.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/views/run.hpp"
#include "tools/uotbench/views/text_layout.hpp"

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

struct ShowOptions {
  std::string run, baseline, speedup_over, filter, format;
  bool json = false, counters = false, lines = false;
};

/// What --baseline names; null where it is not given.
Json baseline_of(const ShowOptions& options, const Run& run) {
  if (options.baseline.empty()) return nullptr;
  if (!options.counters)
    throw UsageError("--baseline is the reference of \"fewer misses\": give --counters, too");
  return over_value("--baseline", options.baseline, run).json();
}

using TablesWriter = std::string (*)(const std::vector<Table>& tables);
const std::map<std::string, TablesWriter> table_writers{
    {"csv", csv_of}, {"markdown", markdown_of}, {"tex", tex_of}};

void check(const ShowOptions& options) {
  if (options.lines && !options.counters)
    throw UsageError("--lines lists what each line of a kernel was counted to do: give --counters, too");
  if (options.format.empty()) return;
  if (!options.counters)
    throw UsageError(
        "--format writes tables of counters: give --counters, too; uotbench export writes times");
  if (options.json) throw UsageError("--json is a format of its own: give it or --format");
  writer_for(options.format, table_writers);
}

void show_counters(const RunView& view, const Json& baseline, const ShowOptions& options) {
  if (options.json) {
    print_json(counters_json(view, baseline));
    return;
  }
  const auto tables = counters_tables(view, baseline, options.lines ? Lines::all : Lines::few);
  if (!options.format.empty()) {
    // What is piped into a file holds tables alone.
    fmt::print(stderr, "{}", warnings(view.run->warnings, terminal_of(stderr)));
    fmt::print("{}", writer_for(options.format, table_writers)(tables));
    return;
  }
  const Terminal terminal = terminal_of(stdout);
  const std::string warned = warnings(view.run->warnings, terminal);
  fmt::print("{}{}\n{}", warned.empty() ? "" : warned + '\n', text_of(tables, terminal),
             signpost(*view.run, fmt::format("uotbench report {} -o report.html", view.run->path.string())));
}

void show_times(const RunView& view, bool json) {
  if (json) {
    Json rows = json_of(view);
    if (Json published = published_json(view); !published.is_null()) rows["published"] = std::move(published);
    print_json(rows);
    return;
  }
  const Run& run = *view.run;
  const std::string file = run.path.string();
  const Terminal terminal = terminal_of(stdout);
  fmt::print("{}\n", table_of(view, terminal));
  for (const auto& table : published_tables(view)) fmt::print("{}\n\n", text_of(table, terminal));
  if (const auto start = median_start(run))
    fmt::print("worker start to first sample: {} (median)\n", format_seconds(*start));
  fmt::print("{}",
             signpost(run, !view.next.empty() ? view.next
                                              : fmt::format("uotbench show {} {}", file,
                                                            has_counters(view) ? "--counters" : "--json")));
}

}  // namespace

void add_show(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ShowOptions>();
  auto* command = program.add_subcommand("show", "print the tables of a stored run");
  command->add_option("RUN", options->run, "a run file, or a sweep's name: its newest run in results/runs")
      ->required();
  command->option_defaults()->group("What is shown");
  command->add_flag("--json", options->json, "print the rows as JSON, in base units");
  command->add_flag("--counters", options->counters,
                    "what was counted: cache misses, memory traffic against the work model, their sources");
  command
      ->add_option("--format", options->format,
                   "with --counters: the tables as csv (one line per cell), markdown or tex (booktabs)")
      ->type_name("FORMAT");
  command->add_option("--filter", options->filter, "only cases whose id matches")->type_name("REGEX");
  command->add_flag(
      "--lines", options->lines,
      fmt::format("with --counters: what each source line of a CUDA kernel did, of all cases; up "
                  "to {} have it without",
                  few_cases));
  command->option_defaults()->group("What it is compared with");
  command
      ->add_option("--speedup-over", options->speedup_over,
                   "the reference of speedups, as uot/numpy_order or uot/numpy_order,threads=1; default: the "
                   "sweep's speedup_over, else each group's first variant")
      ->type_name("VARIANT[@WORKER]");
  command
      ->add_option("--baseline", options->baseline,
                   "with --counters: the reference of \"fewer misses\", as uot/numpy_order; default: what "
                   "speedups are over")
      ->type_name("VARIANT[@WORKER]");
  command->footer(
      "Examples:\n"
      "  uotbench show quickstart\n"
      "  uotbench show quickstart --speedup-over uot/map_uot\n"
      "  uotbench show quickstart --counters --baseline uot/numpy_order\n"
      "  uotbench show quickstart --counters --format tex\n"
      "  uotbench show tiling --counters --filter 'part2.*Tx:64'");
  command->callback([options, &chosen] {
    chosen = [options] {
      check(*options);
      const Run& run = read_run_for_good(find_run(options->run));
      RunView view =
          view_under_roofs(run, {}, over_value("--speedup-over", options->speedup_over, run).json());
      if (!options->filter.empty()) keep_matching(view, options->filter);
      const Json baseline = baseline_of(*options, run);
      if (options->counters)
        show_counters(view, baseline, *options);
      else
        show_times(view, options->json);
      return exit_ok;
    };
  });
}

}  // namespace uotbench
