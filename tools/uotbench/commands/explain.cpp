// uotbench explain: why a case takes the time that it takes, and what would make it faster.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/export/export.hpp"
#include "results/record/axes/settings.hpp"
#include "results/record/run_file/run_file.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/tables/tables.hpp"
#include "tools/uotbench/explaining/in_core.hpp"
#include "tools/uotbench/explaining/osaca.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/run_flags.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/running/run_header.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

// The run that an explanation is read from: a stored one, or one measured for it.

/// The default of --counters.
inline constexpr const char* explained_counters = "cache,traffic,order,regions,false_sharing,os,blocks";

struct MeasuredCases {
  Run run;
  std::vector<std::string> ids;  ///< the cases that were asked for; the run has more
};

constexpr const char* sweep_name = "explain";

/// Instructions are followed on one thread.
void add_one_thread(Sweep& sweep) {
  for (auto& group : sweep.cases)
    for (auto& axis : group.axes) {
      if (axis.names != std::vector<std::string>{setting_axis::threads}) continue;
      if (const std::vector<Value> one{1}; std::ranges::find(axis.tuples, one) == axis.tuples.end())
        axis.tuples.push_back(one);
    }
  Json json = sweep.document.json();
  for (auto& entry : json.at("cases")) {
    if (!entry.contains("axes") || !entry["axes"].contains(setting_axis::threads)) continue;
    Json& threads = entry["axes"][setting_axis::threads];
    if (!threads.is_array()) threads = Json::array({threads});
    if (std::ranges::find(threads, Json(1)) == threads.end()) threads.push_back(1);
  }
  sweep.document = SweepDocument(std::move(json));
}

/// Whether the run was made by the builds that there are now.
bool is_of_these_builds(const Run& run, const Plan& plan, WorkerPool& pool) {
  std::set<std::string> names;
  for (const auto& group : plan.groups)
    for (const auto& member : group.cases) names.insert(member.worker);
  return std::ranges::all_of(names, [&](const std::string& name) {
    const WorkerBuild* const then = run.newest_workers().find(name);
    return then && then->is_known_build() && then->is_same_build(pool.worker_info(name).build.json());
  });
}

std::optional<Run> stored_run(const Plan& plan, WorkerPool& pool) {
  for (const auto& path : runs_of(sweep_name)) {
    if (plan_in_force(path) != plan.ids()) continue;
    Run run = read_run(path);
    if (run.unfinished.empty() && is_of_these_builds(run, plan, pool)) return run;
  }
  return std::nullopt;
}

/// Cases as `uotbench run` takes them, timed, with their lines and their code counted, each also on one
/// thread, where code is counted. The newest run of the sweep "explain" in results/runs that has them all, of
/// these builds, is taken; `again`: a new one is measured anyway. Throws UsageError, Interrupted.
MeasuredCases measured_cases(RunFlags flags, bool again) {
  if (flags.counters.empty()) flags.counters = explained_counters;
  Execution what{.sweep = read_sweep(flags),
                 .plan = {},
                 .output = flags.output,
                 .force = flags.force,
                 .quiet = flags.quiet,
                 .missing_ceilings = true,
                 .command = own_command_of_any_file()};
  what.sweep.name = sweep_name;
  Json json = what.sweep.document.json();
  json["name"] = sweep_name;
  what.sweep.document = SweepDocument(std::move(json));
  const RunContext context = context_of(flags, what.sweep);
  stop_on_signals();
  WorkerPool pool = make_pool(flags.workers, context);
  Selection selection = flags.selection;
  if (what.sweep.cases.empty()) add_named_cases(what.sweep, selection, pool);
  const auto asked = make_plan(what.sweep, pool, selection).ids();
  add_one_thread(what.sweep);
  what.plan = make_plan(what.sweep, pool, selection);
  if (!again && !what.output)
    if (auto stored = stored_run(what.plan, pool)) return {std::move(*stored), asked};
  Executed done = execute(what, pool);
  if (done.interrupted) throw Interrupted();
  return {std::move(done.run), asked};
}

/// More cases are one table, a line each.
constexpr std::size_t most_screens = 4;

struct ExplainOptions {
  std::string what, mcpu, format = "text";
  RunFlags run;
  bool again = false, json = false, listing = false, lines = false;
};

/// A run, as other commands take it; else a case ("uot/map_uot/M:64/N:64@native-v4") or a variant.
bool names_run(const std::string& what) {
  std::error_code none;
  return std::filesystem::is_regular_file(what, none) || what.find('/') == std::string::npos;
}

MeasuredCases cases_of(const ExplainOptions& options) {
  if (names_run(options.what)) {
    if (!options.run.axes.empty() || !options.run.workers.empty() || options.again)
      throw UsageError(
          fmt::format("explain: {} is a run, whose cases are measured already: give a variant with -a, "
                      "--worker or --again",
                      options.what));
    return {read_run(find_run(options.what)), {}};
  }
  RunFlags flags = options.run;
  if (options.lines && flags.counters.empty())
    flags.counters = std::string(explained_counters) + ",functions";
  if (options.what.find('@') != std::string::npos)
    flags.selection.cases = {options.what};
  else
    flags.variants = {options.what};
  return measured_cases(std::move(flags), options.again);
}

/// Without those that were not asked for.
std::vector<Explanation> asked_for(std::vector<Explanation> all, const std::vector<std::string>& ids) {
  if (!ids.empty())
    std::erase_if(all, [&](const Explanation& one) {
      return std::ranges::find(ids, one.member->record->id) == ids.end();
    });
  return all;
}

/// Of a view without a case to explain: kernels that were only counted, as those of a GPU are where there is
/// none, have counts, and no time is made up for them. Throws Error where there are none, with the reason of
/// a case that was not measured.
int print_counts(const RunView& view, const std::vector<std::string>& ids, bool as_text) {
  const auto throw_reason_if = [&](const auto& unmeasured) {
    for (const auto& group : view.groups)
      for (const auto& member : group.cases) {
        const Record& one = *member.record;
        if (unmeasured(one.status) && (ids.empty() || std::ranges::find(ids, one.id) != ids.end()))
          throw Error(fmt::format("{} {}: {}", one.id, name_of(one.status), one.reason.value_or("")));
      }
  };
  throw_reason_if(is_bad);
  if (!has_counters(view)) throw_reason_if([](Status status) { return status == Status::skipped; });
  const std::string why = view.run->path.string() + " has no case with a time and a work model";
  if (!as_text || !has_counters(view)) throw Error(why);
  fmt::print("{}; what was counted:\n\n{}\n", on_one_line(why),
             text_of(counters_tables(view), terminal_of(stdout)));
  return exit_ok;
}

/// What OSACA says of the same loops.
void add_second_opinions(std::vector<Explanation>& all) {
  Osaca osaca;
  for (auto& one : all)
    if (one.core.known()) one.core.other = osaca(one.core.hot, one.core.cpu);
}

int explain_cases(const ExplainOptions& options) {
  require_format(options.format, {"markdown", "text"});
  const MeasuredCases cases = cases_of(options);
  RunView view = view_under_roofs(cases.run);
  if (options.run.selection.filter) keep_matching(view, *options.run.selection.filter);
  CodeAnalyser analyser(options.mcpu);
  auto all = asked_for(explain_all(view, std::ref(analyser)), cases.ids);
  if (all.empty()) return print_counts(view, cases.ids, !options.json && options.format == "text");
  if (options.format == "markdown") {
    fmt::print("{}", markdown_of(summary_of(all)));
    return exit_ok;
  }
  if (options.json || all.size() <= most_screens) add_second_opinions(all);
  if (options.json) {
    Json list = Json::array();
    for (const auto& one : all) list.push_back(json_of(one));
    print_json(list);
    return exit_ok;
  }
  const Terminal terminal = terminal_of(stdout);
  if (all.size() > most_screens) {
    fmt::print("{}\n", text_of(summary_of(all), terminal));
  } else {
    for (const auto& one : all) {
      fmt::print("{}\n", text_of(table_of(one), terminal));
      if (options.lines) fmt::print("{}\n", text_of(table_of(one.lines), terminal));
      if (options.listing && one.core.known())
        fmt::print("{}\n", text_of(hot_block_table(one.core), terminal));
    }
  }
  fmt::print("run file: {}\n", on_one_line(cases.run.path.string()));
  return exit_ok;
}

}  // namespace

void add_explain(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ExplainOptions>();
  auto* command = program.add_subcommand(
      "explain", "say what bounds a case, with the evidence, and what removing that would gain");
  command
      ->add_option(
          "WHAT", options->what,
          "a variant or a case, measured unless these builds have a run of it; or a run: all its cases")
      ->required();
  const auto repeatable = [](CLI::Option* option) {
    option->expected(1)->allow_extra_args(false)->take_all();
  };
  command->option_defaults()->group("What is measured");
  repeatable(command
                 ->add_option("-a,--axis", options->run.axes,
                              "values of an axis of the variant, as uotbench run takes them")
                 ->type_name("AXIS=VALUES")
                 ->check(not_empty));
  repeatable(command->add_option("--worker", options->run.workers, "on this worker")
                 ->type_name("NAME[=CMD]")
                 ->check(not_empty));
  command
      ->add_option("--counters", options->run.counters,
                   fmt::format("what is counted (default: {}); none: only times", explained_counters))
      ->type_name("LIST")
      ->check(not_empty);
  command->add_option("--caches", options->run.measure.caches, "the caches of simulated counters")
      ->type_name("LIST")
      ->check(not_empty);
  command->add_flag("--again", options->again, "measure although there is a run of it");
  command
      ->add_option("-o,--output", options->run.output,
                   "the run file (default: results/runs/explain-UTC.jsonl)")
      ->type_name("FILE");
  command->add_flag("--quiet", options->run.quiet, "print no progress");
  command->option_defaults()->group("What is explained");
  command->add_option("--filter", options->run.selection.filter, "only cases whose id matches")
      ->type_name("REGEX");
  add_mcpu_flag(*command, options->mcpu);
  command->add_flag("--lines", options->lines,
                    "source lines with their share of the instructions (counted, too, where it measures)");
  command->add_flag("--asm", options->listing,
                    "the instructions of the block that takes most, with the units that they keep busy");
  command->add_option("--format", options->format, "text (default), or markdown: one table of all cases")
      ->type_name("FORMAT");
  command->add_flag("--json", options->json, "print all as JSON, in base units");
  command->footer(
      "Examples:\n"
      "  uotbench explain uot/map_uot -a M,N=4096,4096 -a threads=2\n"
      "  uotbench explain quickstart\n"
      "  uotbench explain quickstart --filter one_read --json");
  command->callback([options, &chosen] { chosen = [options] { return explain_cases(*options); }; });
}

}  // namespace uotbench
