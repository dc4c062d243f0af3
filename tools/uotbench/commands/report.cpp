// uotbench report: stored runs as a page to send to a colleague, or a summary for a pull request.
#include "roofline/report/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/base/whole_file.hpp"
#include "results/export/export.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/view/table.hpp"
#include "results/view/view.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/model/ceilings.hpp"
#include "roofline/model/model.hpp"
#include "roofline/tables/tables.hpp"
#include "tools/uotbench/explaining/in_core.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/history/stored_history.hpp"

namespace uotbench {
namespace {

// What the latency and effective-bandwidth models predict of the cases, beside what was measured.

Table::Row row_of(const CaseView& member, const ElementPrediction& it) {
  return {member.record->id,
          it.level,
          format_seconds(member.time->median),
          fmt::format("{} to {}", format_seconds(it.least_latency), format_seconds(it.most_latency)),
          format_bandwidth(it.measured),
          format_bandwidth(it.bandwidth),
          fmt::format("{}", it.equation),
          format_fixed(it.ratio(), 2)};
}

/// Why there is nothing to predict.
std::string nothing(bool declared) {
  return declared ? "There are no ceilings for the threads and places of these cases; uotbench machine "
                    "measures them."
                  : "No variant in these runs declares the work of an element (alpha and beta); "
                    "ceiling/copy, rmw and triad do.";
}

/// Measured and predicted effective bandwidth, and their ratio, of every case whose variant declares what the
/// models need (X. He, "Accelerated linear algebra compiler for computationally efficient numerical models",
/// PLOS ONE 18(2), 2023, Eq. 9 to 12). No rows where none does.
Table models_of(const std::vector<const RunView*>& runs) {
  Table table{.title = "Models", .columns = {{"case"}}};
  for (const char* title :
       {"level", "latency", "predicted (Eq. 9)", "bandwidth", "predicted", "by Eq.", "ratio"})
    table.columns.push_back({title, Table::Holds::numbers});
  bool declared = false;
  for (const auto* view : runs) {
    const CeilingsInTime ceilings(*view->run);
    const Caches caches(view->run->header.machine);
    for (const auto& group : view->groups)
      for (const auto& member : group.cases) {
        const Record& record = *member.record;
        declared = declared || (record.work && record.work->element);
        const auto* its = ceilings.of(record);
        if (!its) continue;
        if (const auto prediction = predicted(member, *its, caches)) table.row(row_of(member, *prediction));
      }
  }
  table.about =
      table.rows.empty()
          ? nothing(declared)
          : "Latency and effective bandwidth of element-wise operations and stencils: Eq. 9 to 12 of X. He, "
            "PLOS ONE 2023, doi 10.1371/journal.pone.0282265, with this machine's measured ceilings. "
            "The ratio is that of the bandwidths, measured over predicted.";
  return table;
}

struct ReportOptions {
  std::vector<std::string> runs;
  std::string output, format, mcpu;
  bool models = false, history = false;
  HistoryOptions stored;
};

bool is_markdown(const ReportOptions& options) {
  if (options.format.empty()) {
    const std::string ending = std::filesystem::path(options.output).extension().string();
    if (ending.empty() || ending == ".md") return options.models || ending == ".md";
    if (ending != ".html" && ending != ".htm")
      throw UsageError(fmt::format("{}: no format \"{}\"; a report is .html or .md", options.output, ending));
    if (options.models)
      throw UsageError(
          fmt::format("{}: --models prints text or Markdown; a page has the models anyway", options.output));
    return false;
  }
  require_format(options.format, {"html", "markdown"});
  return options.format == "markdown";
}

void give(const std::string& text, const std::string& output) {
  if (output.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);  // main looks whether it could be written
  } else {
    write_whole(output, text);
    fmt::print("{}\n", on_one_line(output));
  }
}

/// In place of runs.
int report_history(const ReportOptions& options, bool markdown) {
  if (!options.runs.empty())
    throw UsageError(
        "--history is a page of what is stored of many runs: give no RUN (--filter chooses cases)");
  if (options.models) throw UsageError("--models is of runs: give it or --history");
  const History history = stored_history(options.stored);
  give(markdown ? markdown_of({steps_table(history), lines_table(history)}) : html_of(history),
       options.output);
  return exit_ok;
}

/// What bounds each case of a run that a reader can look through, where its machine's ceilings are known.
Table bounds_of(const RunView& view, const std::string& mcpu) {
  constexpr std::size_t most_cases = 500;
  if (view.run->records.size() > most_cases || ceilings_of(*view.run).empty()) return {};
  return summary_of(explain_all(view, CodeAnalyser(mcpu)));
}

int report(const ReportOptions& options) {
  const bool markdown = is_markdown(options);
  if (options.models && !markdown)
    throw UsageError("--models prints text or Markdown; a page has the models anyway");
  if (!markdown && options.output.empty())
    throw UsageError(
        "a page needs a file: give -o report.html (or --format markdown for a summary to print)");
  if (options.history) return report_history(options, markdown);
  if (options.runs.empty()) throw UsageError("give a RUN, or --history; see uotbench report --help");
  if (!options.stored.pattern.empty())
    throw UsageError("--filter is of --history: a page of runs has all their cases; leave it out");
  std::deque<RunView> views;
  Report all{.runs = {}};
  for (const auto& name : options.runs) {
    views.push_back(view_under_roofs(read_run_for_good(find_run(name))));
    all.runs.push_back(&views.back());
  }
  Table models = models_of(all.runs);
  if (options.models) {
    give(markdown_of(models), options.output);
    return exit_ok;
  }
  for (const auto* view : all.runs) {
    std::vector<Table> tables = published_tables(*view);
    if (has_counters(*view)) std::ranges::move(counters_tables(*view), std::back_inserter(tables));
    for (auto& table : tables) {
      if (all.runs.size() > 1) table.title += ": " + view->run->path.filename().string();
      all.tables.push_back(std::move(table));
    }
  }
  for (const auto* view : all.runs)
    if (Table bounds = bounds_of(*view, options.mcpu); !bounds.rows.empty()) {
      if (all.runs.size() > 1) bounds.title += ": " + view->run->path.filename().string();
      all.tables.push_back(std::move(bounds));
    }
  if (!models.rows.empty()) all.tables.push_back(std::move(models));
  if (!markdown) all.figures = report_figures(all.runs, {}, CodeAnalyser(options.mcpu));
  give(markdown ? markdown_of(all) : html_of(all), options.output);
  return exit_ok;
}

}  // namespace

void add_report(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ReportOptions>();
  auto* command = program.add_subcommand("report", "write a page about stored runs, or a summary");
  command->add_option("RUN", options->runs, "run files, or sweeps' names: their newest runs in results/runs");
  command
      ->add_option("-o,--output", options->output,
                   "the page, one file that needs no other; written whole or not at all")
      ->type_name("FILE");
  command
      ->add_option("--format", options->format,
                   "html (default), or markdown: a summary that fits a pull request, to FILE or stdout")
      ->type_name("FORMAT");
  command->add_flag("--models", options->models, "print what the models predict, with what was measured");
  add_mcpu_flag(*command, options->mcpu);
  command->option_defaults()->group("The page of a history");
  command->add_flag("--history", options->history,
                    "instead of runs: the stored history (uotbench history add), one chart per case");
  command->add_option("--filter", options->stored.pattern, "with --history: only cases whose id matches")
      ->type_name("REGEX");
  add_history_folder(*command, options->stored.in);
  add_history_flags(*command, options->stored);
  command->footer(
      "Examples:\n"
      "  uotbench report quickstart -o report.html\n"
      "  uotbench report quickstart --format markdown\n"
      "  uotbench report --history -o history.html");
  command->callback([options, &chosen] { chosen = [options] { return report(*options); }; });
}

}  // namespace uotbench
