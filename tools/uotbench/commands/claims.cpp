// uotbench claims: compare printed values of a paper with ours, with a verdict.
#include "results/claims/claims.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/whole_file.hpp"
#include "results/export/export.hpp"
#include "results/record/run_file/run_file.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/claim_runs.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

struct ClaimOptions {
  std::string paper, figure, format, lint;
  std::vector<std::string> from;
  bool run = false, full = false, strict = false, measured = false;
};

using ClaimWriter = std::string (*)(const Table& table);
const std::map<std::string, ClaimWriter> claim_writers{
    {"text", [](const Table& table) { return text_of(table, terminal_of(stdout)) + "\n"; }},
    {"md", [](const Table& table) { return markdown_of(table); }},
    {"tex", [](const Table& table) { return tex_of({table}); }},
    {"html", [](const Table& table) { return "<!doctype html><meta charset=\"utf-8\">\n" + html_of(table); }},
    {"csv", [](const Table& table) { return csv_of({table}); }},
    {"json", nullptr}};

std::vector<const PrintedClaim*> chosen_claims(const ClaimFile& file, const std::string& figure) {
  std::vector<const PrintedClaim*> claims;
  std::vector<std::string> places;
  for (const auto& claim : file.claims) {
    if (figure.empty() || is_of(claim, figure)) claims.push_back(&claim);
    if (std::ranges::find(places, claim.place) == places.end()) places.push_back(claim.place);
  }
  if (claims.empty())
    throw UsageError(fmt::format("--figure {}: no claim of {} is of it; there are: {}", figure, file.name,
                                 fmt::join(places, ", ")));
  return claims;
}

/// The cases that these results are from.
std::set<const Record*> records_of(const std::vector<ClaimResult>& results) {
  std::set<const Record*> records;
  for (const auto& result : results)
    for (const auto& reading : result.readings)
      records.insert(reading.records.begin(), reading.records.end());
  return records;
}

/// What a run's times are doubtful for, its cases' limits included where its machine's ceilings are known.
/// `used`: cases whose own doubts are named.
std::vector<std::string> doubts_about(const Run& run, const std::set<const Record*>& used) {
  auto rows = evidence_of(run);
  std::vector<std::string> doubtful;
  const RunView view = view_under_roofs(run);
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      for (auto& row : rows)
        if (row.name == member.record->id && member.roof && member.roof->floor > 0)
          row.limit = member.roof->floor;
      if (!used.contains(member.record)) continue;
      for (const auto& doubt : member.doubts) doubtful.push_back(member.record->id + ": " + doubt);
    }
  auto doubts = doubts_of(rows);
  doubts.insert(doubts.end(), doubtful.begin(), doubtful.end());
  return doubts;
}

int list_papers() {
  Table table{.title = "papers with claims",
              .about = "uotbench claims PAPER compares printed values with ours"};
  table.columns = {{"paper"},
                   {"claims", Table::Holds::numbers},
                   {"minutes", Table::Holds::numbers, "of --run, about, on two cores"},
                   {"title"}};
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(configs_folder() / "claims"))
    if (entry.path().extension() == ".json") paths.insert(entry.path());
  for (const auto& path : paths) {
    const ClaimFile file = read_claims(path);
    double minutes = 0;
    for (const auto& sweep : file.sweeps) minutes += sweep.minutes;
    table.row({file.name, std::to_string(file.claims.size()), fmt::format("{:.0f}", minutes), file.title});
  }
  fmt::print("{}\n", text_of(table, terminal_of(stdout)));
  return exit_ok;
}

int lint_table(const std::string& path) {
  const auto doubts = doubts_of(evidence_from_csv(read_whole(path), path));
  for (const auto& doubt : doubts) fmt::print("{}\n", on_one_line(doubt));
  if (doubts.empty())
    fmt::print("{}: nothing doubtful by iterations, objectives, spreads, hardware and limits\n", path);
  return exit_ok;
}

int strict_code(const std::vector<ClaimResult>& results) {
  const auto any = [&](ClaimOutcome outcome) {
    return std::ranges::any_of(results,
                               [&](const auto& result) { return result.verdict.outcome == outcome; });
  };
  return any(ClaimOutcome::contradicted) ? exit_failed
         : any(ClaimOutcome::unmeasured) ? exit_incomplete
                                         : exit_ok;
}

void require_any_measured(const ClaimOptions& options, const std::vector<ClaimResult>& results) {
  for (const auto& result : results)
    if (!result.run.empty()) return;
  for (const auto& result : results)
    if (result.verdict.outcome == ClaimOutcome::unmeasured)
      throw UsageError(fmt::format("--from {}: no claim of {} is measured there: {}: {}",
                                   fmt::join(options.from, " "), options.paper, result.claim->id,
                                   result.verdict.why));
}

ClaimResult found_result(const ClaimFile& file, const PrintedClaim& claim, const ClaimRuns& runs) {
  if (const std::string missing = missing_for(claim); !missing.empty())
    return result_without(claim, {ClaimOutcome::cannot_run, missing});
  const auto run = runs.by_sweep.find(claim.sweep);
  ClaimResult result = run == runs.by_sweep.end() ? result_without(claim, {ClaimOutcome::unmeasured})
                                                  : result_of(claim, file, *run->second);
  if (result.verdict.outcome == ClaimOutcome::unmeasured && lacks_gpu(claim))
    result.verdict = {ClaimOutcome::cannot_run,
                      fmt::format("it needs {}, and this machine has none", claim.needs.gpu)};
  return result;
}

int claims(const ClaimOptions& options) {
  const ClaimWriter write = writer_for(options.format, claim_writers);
  if (!options.lint.empty()) return lint_table(options.lint);
  if (options.paper.empty()) return list_papers();
  const ClaimFile file = read_claims(options.paper);
  const auto chosen = chosen_claims(file, options.figure);
  std::vector<Run> given;
  for (const auto& name : options.from) given.push_back(read_run(find_run(name)));
  ClaimRuns runs;
  if (given.empty()) runs = runs_for(file, chosen, options.full, options.run);
  std::vector<ClaimResult> results;
  for (const auto* claim : chosen) {
    const bool needs_no_sweep = !claim->cannot.empty() || claim->sweep.empty();
    results.push_back(!given.empty() || needs_no_sweep ? result_in(given, *claim, file)
                                                       : found_result(file, *claim, runs));
  }
  if (!given.empty()) require_any_measured(options, results);
  if (options.measured)
    std::erase_if(results, [](const ClaimResult& result) {
      const auto outcome = result.verdict.outcome;
      return outcome == ClaimOutcome::unmeasured || outcome == ClaimOutcome::cannot_run;
    });
  Table table = claims_table(file, results);
  std::set<std::string> doubts;
  const auto used = records_of(results);
  for (const auto& [name, run] : runs.by_sweep)
    for (const auto& doubt : doubts_about(*run, used)) doubts.insert(doubt);
  for (const auto& run : given)
    for (const auto& doubt : doubts_about(run, used)) doubts.insert(doubt);
  for (const auto& doubt : doubts) table.notes.push_back(doubt);
  if (!runs.missing.empty())
    table.notes.push_back(
        fmt::format("not measured, or not to the end: {}: uotbench claims {} --run{} goes on, {}",
                    fmt::join(runs.missing, ", "), options.paper, options.full ? " --full" : "",
                    options.full ? "at the paper's own sizes, where that may take hours"
                                 : fmt::format("some {:.0f} minutes on two cores", runs.minutes)));
  if (write)
    fmt::print("{}", write(table));
  else
    print_json(claims_json(file, results));
  if (runs.interrupted) return exit_interrupted;
  return options.strict ? strict_code(results) : exit_ok;
}

}  // namespace

void add_claims(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ClaimOptions>();
  options->format = "text";
  auto* command =
      program.add_subcommand("claims", "compare printed values of a paper with ours, with a verdict");
  command->add_option("PAPER", options->paper,
                      "a name in configs/claims, or a file; without it they are listed");
  command->option_defaults()->group("Which claims and runs");
  command
      ->add_option("--figure", options->figure,
                   "only claims of this figure or table, as 9 or \"Table 1\", or an id")
      ->type_name("FIGURE");
  auto* run = command->add_flag("--run", options->run, "measure what is missing; continue what was begun");
  command
      ->add_option("--from", options->from,
                   "runs to look in, files or names, in place of the newest of each sweep")
      ->type_name("RUN")
      ->excludes(run);
  command->add_flag("--full", options->full, "the paper's own sizes, which take hours");
  command->option_defaults()->group("What is printed");
  command->add_flag("--measured", options->measured,
                    "only claims with a verdict, which are measured or computed");
  command->add_flag("--strict", options->strict,
                    "end with 1 where a claim is contradicted, with 5 where one is not measured yet");
  command->add_option("--format", options->format, "text (default), md, tex, html, csv or json")
      ->type_name("FORMAT");
  command
      ->add_option("--lint", options->lint,
                   "check whether a CSV table of times is plausible; columns: name, time, and problem, std, "
                   "iterations, "
                   "objective, hardware, limit, baseline as far as there are")
      ->type_name("FILE");
  command->footer(
      "Examples:\n"
      "  uotbench claims\n"
      "  uotbench claims map_uot --run\n"
      "  uotbench claims map_uot --figure 9 --from single_thread\n"
      "  uotbench claims map_uot --format tex\n"
      "  uotbench claims --lint table.csv");
  command->callback([options, &chosen] { chosen = [options] { return claims(*options); }; });
}

}  // namespace uotbench
