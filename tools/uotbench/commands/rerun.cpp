// uotbench rerun: measures again what a run file holds, and prints theirs beside mine.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "harness/host/facts/usable.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/view/compare.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/running/run_header.hpp"
#include "tools/uotbench/views/run.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

struct RerunOptions {
  std::string run;
  std::vector<std::string> workers;
  std::optional<std::string> output;
  bool force = false, resume = false, dry_run = false, quiet = false, json = false;
};

/// The sweep as it was measured; its cases are named by the plan's ids, whatever a pattern such as uot/*
/// would stand for today.
Sweep measured_sweep(const Run& run) {
  const HeaderOptions& options = *run.header.options;
  Sweep sweep;
  sweep.document = run.header.sweep;
  sweep.name = run.header.sweep.name();
  sweep.speedup_over = run.header.sweep.speedup_over();
  sweep.source = run.path.string();
  sweep.counters = options.counters.value_or(std::vector<std::string>());
  sweep.measure = {.rounds = static_cast<int>(*options.rounds),
                   .min_samples = static_cast<int>(*options.min_samples),
                   .max_noise = *options.max_noise,
                   .max_time = *options.max_time,
                   .case_timeout = *options.case_timeout,
                   .caches = run.header.sweep.caches()};
  return sweep;
}

/// Workers that were given on the command line then, and are not now.
std::vector<std::string> workers_of(const Run& run, const std::vector<std::string>& given) {
  std::vector<std::string> workers;
  for (const auto& [name, build] : run.header.workers) {
    const auto same = [&, wanted = name + "="](const std::string& argument) {
      return argument.starts_with(wanted);
    };
    const auto words = build.command();
    if (words.empty() || std::ranges::any_of(given, same)) continue;
    std::string command;
    for (const auto& word : words) command += (command.empty() ? "" : " ") + shell_quoted(word);
    workers.push_back(name + "=" + command);
  }
  workers.insert(workers.end(), given.begin(), given.end());
  return workers;
}

/// What cannot be repeated here, by reason.
class Obstacles {
 public:
  void add(const std::string& reason, const std::string& id) { ids_[reason].push_back(id); }
  bool empty() const { return ids_.empty(); }

  std::string text() const {
    std::string text;
    for (const auto& [reason, ids] : ids_)
      text += paragraph("cannot be repeated here: ", fmt::format("{}: {}", reason, shortened(ids)),
                        terminal_of(stderr));
    return text;
  }
  std::string first() const { return ids_.begin()->first; }

 private:
  std::map<std::string, std::vector<std::string>> ids_;
};

Obstacles plan(Execution& what, const Run& theirs, WorkerPool& pool) {
  NamedCases named = named_cases(theirs.plan(), pool);
  Obstacles obstacles;
  for (const auto& [id, reason] : named.impossible) obstacles.add(reason, id);
  what.sweep.cases = std::move(named.entries);
  if (!what.sweep.cases.empty()) {
    const Document reference = std::exchange(what.sweep.speedup_over, {});  // it may be among the impossible
    what.plan = make_plan(what.sweep, pool, {.skip_impossible = true});
    what.sweep.speedup_over = reference;
  }
  std::size_t possible = 0;
  for (const auto& group : what.plan.groups)
    for (const auto& member : group.cases) {
      if (member.decided)
        obstacles.add(member.decided->reason, member.id);
      else
        ++possible;
    }
  if (possible == 0)
    throw NotComparable(fmt::format("{}: none of its {} cases can be repeated here: {}", theirs.path.string(),
                                    theirs.plan().size(),
                                    obstacles.empty() ? "it has none" : obstacles.first()));
  return obstacles;
}

int rerun(const RerunOptions& options) try {
  // Without a name the newest run with this plan would be taken up: theirs.
  if (options.resume && !options.output)
    throw UsageError("rerun: --resume needs --output FILE: the repetition that was begun");
  const Run theirs = read_run(find_run(options.run));
  std::error_code missing;
  if (options.output && std::filesystem::equivalent(*options.output, theirs.path, missing))
    throw UsageError(
        fmt::format("rerun: --output {} is the run that is repeated; give another", *options.output));
  if (const std::string wrong = line_violation("repeatable", to_json(theirs.header)); !wrong.empty())
    throw UsageError(fmt::format("{}: cannot be repeated: line 1: {}", theirs.path.string(), wrong));
  Execution what{.sweep = measured_sweep(theirs),
                 .plan = {},
                 .verify_only = theirs.header.options->verify_only.value_or(false),
                 .output = options.output,
                 .force = options.force,
                 .resume = options.resume,
                 .quiet = options.quiet,
                 .origin = Json{{"file", theirs.path.string()},
                                {"started", theirs.header.started},
                                {"machine", theirs.header.machine.fingerprint()}}};
  RunContext context = context_on(usable_cpus(), what.sweep.measure.case_timeout);
  if (const auto device = theirs.header.options->device) use_device(static_cast<int>(*device), context);
  stop_on_signals();
  what.command = own_command_of_any_file();
  const auto workers = workers_of(theirs, options.workers);
  for (const auto& worker : workers) what.repeat_flags += " --worker " + shell_quoted(worker);
  WorkerPool pool = make_pool(workers, context);
  const Obstacles obstacles = plan(what, theirs, pool);
  fmt::print(stderr, "{}", obstacles.text());
  if (options.dry_run) {
    for (const auto& group : what.plan.groups)
      for (const auto& member : group.cases)
        if (!member.decided) fmt::print("{}\n", member.id);
    return exit_ok;
  }

  const Executed mine = execute(what, pool);
  const RunView their_view = view_under_roofs(theirs), my_view = view_under_roofs(mine.run);
  try {
    const Comparison comparison = compare_runs(their_view, my_view);
    if (options.json)
      print_json(json_of(comparison));
    else
      fmt::print("{}\n",
                 text_of(comparison, {.a = "theirs", .b = "mine", .speedups = true}, terminal_of(stdout)));
  } catch (const NotComparable&) {  // judged only, or nothing right: the records say so
    if (options.json)
      print_json(json_of(my_view));
    else
      fmt::print("{}\n", table_of(my_view, terminal_of(stdout)));
  }
  if (!options.quiet && !options.json) fmt::print("{}", closing_words(what, mine, my_view));
  return exit_code_of(mine);
} catch (const Json::Exception& error) {
  throw UsageError(fmt::format("{}: not a run that can be repeated: {}", options.run, error.what()));
}

}  // namespace

void add_rerun(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<RerunOptions>();
  auto* command = program.add_subcommand("rerun", "repeat a stored run here, and compare the two");
  command->add_option("RUN", options->run, "a run file, or a sweep's name: its newest run in results/runs")
      ->required();
  command->add_option("--worker", options->workers, "another command for one of its workers")
      ->type_name("NAME=CMD")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--output", options->output, "my run file (default: results/runs/NAME-UTC.jsonl)")
      ->type_name("FILE");
  command->add_flag("--force", options->force, "overwrite my run file");
  command->add_flag("--resume", options->resume, "go on with my run file; needs --output");
  command->add_flag("--dry-run", options->dry_run, "print what would be repeated, and what cannot be");
  command->add_flag("--quiet", options->quiet, "print no progress");
  command->add_flag("--json", options->json, "print the comparison as JSON, in base units");
  command->footer(
      "Examples:\n"
      "  uotbench rerun their-tiling.jsonl\n"
      "  uotbench rerun their-tiling.jsonl --dry-run\n"
      "  uotbench rerun their-tiling.jsonl --worker native-v4=./my-build");
  command->callback([options, &chosen] { chosen = [options] { return rerun(*options); }; });
}

}  // namespace uotbench
