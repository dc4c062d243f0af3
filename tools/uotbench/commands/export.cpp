// uotbench export: a stored run for other programs.
#include "results/export/export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/whole_file.hpp"
#include "results/record/run_file/run_file.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/flags/command.hpp"

namespace uotbench {
namespace {

struct ExportOptions {
  std::string run, format, output, speedup_over, filter;
  std::vector<std::string> columns;
  bool samples = false, no_macros = false, wide = false;
};

using Writer = std::string (*)(const RunView& view, const ExportOptions& options);

const std::map<std::string, Writer> writers{
    {"gbench", [](const RunView& view, const ExportOptions&) { return to_gbench(view); }},
    {"csv",
     [](const RunView& view, const ExportOptions& options) {
       return options.samples ? to_csv_of_samples(view) : to_csv(view);
     }},
    {"markdown",
     [](const RunView& view, const ExportOptions& options) {
       return to_markdown(view, {.columns = options.columns, .wide = options.wide});
     }},
    {"tex", [](const RunView& view, const ExportOptions& options) {
       return to_tex(view, {.columns = options.columns, .macros = !options.no_macros});
     }}};

/// A flag that the format would ignore.
void check(const ExportOptions& options) {
  const auto is_for = [&](const char* flag, const std::vector<std::string>& formats, bool given) {
    if (given && std::ranges::find(formats, options.format) == formats.end())
      throw UsageError(
          fmt::format("{} is for --format {}, not {}", flag, fmt::join(formats, " and "), options.format));
  };
  is_for("--samples", {"csv"}, options.samples);
  is_for("--columns", {"markdown", "tex"}, !options.columns.empty());
  is_for("--wide", {"markdown"}, options.wide);
  is_for("--no-macros", {"tex"}, options.no_macros);
}

/// On stderr: Google's compare.py leaves out rows that have no CPU time, silently.
void tell_without_cpu_time(const Run& run) {
  std::size_t timed = 0, without = 0;
  for (const auto& record : run.records) {
    if (!record.time) continue;
    ++timed;
    without += record.time->clock != "cpu" &&
               std::ranges::any_of(record.time->processes, [](const ProcessSamples& process) {
                 return !process.samples.empty() && !process.busy;
               });
  }
  if (without > 0)
    fmt::print(stderr,
               "note: no CPU time was recorded of {} of {} cases: their rows have no cpu_time, and Google's "
               "compare.py leaves them out\n",
               without, timed);
}

/// On stderr: formats have rows without times, or no rows, of what did not end well. What was skipped is as
/// planned, unless nothing has a time.
void tell_untimed(const Run& run) {
  std::map<std::string, std::size_t> by_outcome;
  std::size_t untimed = 0;
  const bool any = std::ranges::any_of(run.records, [](const Record& one) { return one.time.has_value(); });
  for (const auto& record : run.records) {
    if (record.time || record.status == Status::ok) continue;  // times may not be wanted: --verify-only
    if (any && record.status == Status::skipped) continue;
    ++untimed;
    std::string why = outcome_of(record);
    if (record.reason) why += ": " + *record.reason;
    ++by_outcome[on_one_line(why)];
  }
  if (untimed == 0) return;
  std::vector<std::string> outcomes;
  for (const auto& [outcome, count] : by_outcome) outcomes.push_back(fmt::format("{} {}", count, outcome));
  fmt::print(stderr, "note: {} of {} cases have no time: {}\n", untimed, run.records.size(),
             shortened(outcomes, 3));
}

}  // namespace

void add_export(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ExportOptions>();
  auto* command = program.add_subcommand("export", "write a stored run for other programs");
  command->add_option("RUN", options->run, "a run file, or a sweep's name: its newest run in results/runs")
      ->required();
  command
      ->add_option(
          "--format", options->format,
          "gbench (Google Benchmark's JSON, for its compare.py), csv (an apostrophe leads texts that a "
          "spreadsheet would run), markdown or tex (booktabs)")
      ->type_name("FORMAT")
      ->required();
  command->add_option("-o,--output", options->output, "a file, written whole or not at all; default: stdout")
      ->type_name("FILE");
  command
      ->add_option(
          "--speedup-over", options->speedup_over,
          "the reference of speedups, as uot/numpy_order; default: the sweep's speedup_over, else each "
          "group's first variant")
      ->type_name("VARIANT[@WORKER]");
  command->add_option("--filter", options->filter, "only cases whose id matches")->type_name("REGEX");
  command->option_defaults()->group("Of one format");
  command->add_flag("--samples", options->samples, "csv: one line per raw sample instead of one per case");
  command
      ->add_option("--columns", options->columns,
                   "markdown, tex: these columns of the table, in this order, as median,spread,speedup")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag("--wide", options->wide,
                    "markdown: one table, with the columns of each problem next to each other");
  command->add_flag("--no-macros", options->no_macros, "tex: the table alone, no \\newcommand values");
  command->footer(
      "Examples:\n"
      "  uotbench export quickstart --format csv -o quickstart.csv\n"
      "  uotbench export quickstart --format csv --samples -o samples.csv\n"
      "  uotbench export quickstart --format tex --columns median,speedup -o table.tex");
  command->callback([options, &chosen] {
    chosen = [options] {
      const Writer writer = writer_for(options->format, writers);
      check(*options);
      const Run& run = read_run_for_good(find_run(options->run));
      RunView view =
          view_under_roofs(run, {}, over_value("--speedup-over", options->speedup_over, run).json());
      if (!options->filter.empty()) keep_matching(view, options->filter);
      const std::string text = writer(view, *options);
      if (!options->output.empty()) {
        write_whole(options->output, text);
      } else {
        // main tells of it, and nothing is noted of what nobody can read. The first failure has the cause: a
        // flush after it says "Input/output error".
        const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
        if (!written || std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
      }
      tell_untimed(run);
      if (options->format == "gbench") tell_without_cpu_time(run);
      return exit_ok;
    };
  });
}

}  // namespace uotbench
