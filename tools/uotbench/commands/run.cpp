// uotbench run: a sweep, from its JSON to judged, timed, durable records.
#include "tools/uotbench/views/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "harness/sweep/workers/validation.hpp"
#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/run_flags.hpp"
#include "tools/uotbench/running/counter_plan.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/running/one_case.hpp"
#include "tools/uotbench/running/run_header.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

void print_plan(const Plan& plan) {
  std::string text;
  for (const auto& group : plan.groups)
    for (const auto& member : group.cases)
      text += member.decided ? fmt::format("{}  {}: {}\n", member.id, name_of(member.decided->status),
                                           on_one_line(member.decided->reason))
                             : member.id + '\n';
  fmt::print("{}", visible(text));
}

struct VariantCount {
  std::size_t cases = 0, skipped = 0;
};

std::string counts_by_variant(const Plan& plan) {
  std::map<std::string, VariantCount> counts;
  std::size_t names = 0, digits = 0;
  for (const auto& group : plan.groups)
    for (const auto& member : group.cases) {
      auto& count = counts[on_one_line(member.variant)];
      ++count.cases;
      count.skipped += member.decided.has_value();
    }
  for (const auto& [name, count] : counts) {
    names = std::max(names, columns_of(name));
    digits = std::max(digits, std::to_string(count.cases).size());
  }
  std::string text;
  for (const auto& [name, count] : counts)
    text +=
        fmt::format("  {}{}  {:>{}}{}\n", name, std::string(names - columns_of(name), ' '), count.cases,
                    digits, count.skipped > 0 ? fmt::format(", of which {} cannot run", count.skipped) : "");
  return text;
}

/// How long the newest whole run of this plan took.
std::string earlier(const Execution& what) {
  const auto plan = what.plan.ids();
  for (const auto& path : runs_of(what.sweep.name)) try {
      const Run run = read_run(path);
      const auto elapsed = run.end ? run.end->elapsed() : std::nullopt;
      if (!elapsed || !run.resumes.empty() || !run.unfinished.empty() || run.plan() != plan ||
          !run.header.options || run.header.options->verify_only != what.verify_only)
        continue;
      return fmt::format("{} with the same cases took {}\n", on_one_line(path.string()),
                         format_wait(*elapsed));
    } catch (const std::exception&) {  // no whole run: nothing is known from it
    }
  return "";
}

/// Lines for --dry-run: how many cases a variant has, how long sampling may take by the options, and how long
/// the newest whole run of the same plan took in all, where results/runs has one.
std::string forecast(const Execution& what, WorkerPool& pool) {
  std::size_t timed = 0;
  for (const auto& group : what.plan.groups)
    for (const auto& member : group.cases)
      timed += !member.decided && member.untimed.empty() && pool.manifest(member.worker).does(step::time);
  const auto& measure = what.sweep.measure;
  std::string text = counts_by_variant(what.plan);
  if (!what.verify_only && measure.rounds > 0 && timed > 0)
    text += fmt::format(
        "sampling takes up to {} ({} of {}); inputs, verification and starting processes come on top\n",
        format_wait(static_cast<double>(timed) * measure.max_time), counted(timed, "case"),
        format_seconds(measure.max_time));
  return text + earlier(what);
}

/// Known before anything is run or written: --save-arrays names a folder, or one can be made there.
void require_place_for(const std::filesystem::path& arrays) {
  std::filesystem::path there = std::filesystem::absolute(arrays);
  std::error_code missing;
  while (!std::filesystem::exists(there, missing) && there.has_relative_path()) there = there.parent_path();
  if (!std::filesystem::is_directory(there, missing) || ::access(there.c_str(), W_OK | X_OK) != 0)
    throw UsageError(fmt::format("--save-arrays {}: {} is no folder that can be written", arrays.string(),
                                 there.string()));
}

/// What another command line needs to run one of these cases as this one does.
std::string repeat_flags(const RunFlags& flags) {
  std::string text;
  for (const auto& worker : flags.workers)
    if (worker.find('=') != std::string::npos) text += " --worker " + shell_quoted(worker);
  if (!flags.measure.case_timeout.empty())
    text += " --case-timeout " + shell_quoted(flags.measure.case_timeout);
  if (flags.device) text += fmt::format(" --device {}", *flags.device);
  if (!flags.memory.empty()) text += " --memory " + shell_quoted(flags.memory);
  return text;
}

int run(const RunFlags& flags) {
  if (!flags.by_hand.empty()) return run_by_hand(flags);
  Execution what{.sweep = read_sweep(flags),
                 .plan = {},
                 .verify_only = flags.verify_only,
                 .save_arrays = flags.save_arrays,
                 .repeat_flags = repeat_flags(flags),
                 .output = flags.output,
                 .force = flags.force,
                 .resume = flags.resume,
                 .quiet = flags.quiet,
                 .missing_ceilings = !flags.stored_ceilings,
                 .command = own_command_of_any_file()};
  const RunContext context = context_of(flags, what.sweep);
  stop_on_signals();
  if (flags.output && flags.output->empty()) throw UsageError("--output: expected a file's name, got \"\"");
  if (!flags.save_arrays.empty()) require_place_for(flags.save_arrays);
  if (!flags.stop_after.empty())
    what.stop_after = flag_value("--stop-after", parse_duration, flags.stop_after);
  WorkerPool pool = make_pool(flags.workers, context);
  Selection selection = flags.selection;
  selection.judge_crowded = true;
  if (!flags.shard.empty()) selection.shard = parse_shard(flags.shard);
  if (what.sweep.cases.empty()) add_named_cases(what.sweep, selection, pool);
  what.plan = make_plan(what.sweep, pool, selection);
  if (flags.dry_run) {
    counting_of(what.sweep, what.plan, pool);  // its errors
    print_plan(what.plan);
    fmt::print(stderr, "{} in {}, planned in {}; nothing was run\n{}", counted(what.plan.size(), "case"),
               counted(what.plan.groups.size(), "group"), format_seconds(what.elapsed()),
               forecast(what, pool));
    return exit_ok;
  }
  if (!flags.under.empty()) run_under(flags.under, flags.once, what.plan, pool);

  if (what.plan.shard && what.plan.size() == 0 && !flags.quiet)
    fmt::print(stderr, "part {} of {} has no cases: there are fewer comparison groups than parts\n",
               what.plan.shard->index, what.plan.shard->of);
  const Executed done = execute(what, pool);
  if (!flags.quiet) {
    const RunView view = view_under_roofs(done.run);
    fmt::print("{}\n{}", table_of(view, terminal_of(stdout)), closing_words(what, done, view));
  }
  return exit_code_of(done);
}

}  // namespace

void add_run(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<RunFlags>();
  auto* command = program.add_subcommand(
      "run", "run a sweep: verify every result, time the right ones, keep the records");
  declare(*command, *flags);
  command->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace uotbench
