// uotbench history: what happened to each case over the commits, and at which it stepped.
#include "results/history/history.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/host/facts/machine.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/export/export.hpp"
#include "results/record/run_file/run_file.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/gating/fill.hpp"
#include "tools/uotbench/history/stored_history.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

struct HistoryAddOptions {
  std::vector<std::string> runs;
  std::string commit, in;
};

struct HistoryFillOptions {
  std::string range, in;
  GateFlags gate;
  bool again = false;
};

struct HistoryShowOptions {
  HistoryOptions stored;
  bool json = false, markdown = false;
};

/// Adds what a run holds of a commit, and says so. Throws UsageError where it holds nothing to keep.
void keep_run(const Run& run, const std::string& revision, const CommitsToKeep& commits,
              const fs::path& folder) {
  const auto entries = entries_of(run, commits.find(revision, run.header.started));
  if (entries.empty())
    throw UsageError(
        fmt::format("{}: no case of it is ok, so that there is nothing to keep", run.path.string()));
  for (const auto& entry : entries) {
    const StoredEntry stored = store(folder, entry);
    fmt::print("{}: {} of {} in {}\n", stored.fresh ? "added" : "there already",
               counted(entry.cases.size(), "case"), on_one_line(text_of(entry.commit)),
               on_one_line(stored.file.string()));
  }
}

void add_run_file(const fs::path& file, const CommitsToKeep& commits, const HistoryAddOptions& options,
                  const fs::path& folder) {
  const Run run = read_run(file);
  keep_run(run, options.commit.empty() ? commit_of_run(run) : options.commit, commits, folder);
}

/// The run files of a folder, by their names; a broken one among them is a warning.
bool add_folder(const fs::path& folder, const CommitsToKeep& commits, const HistoryAddOptions& options,
                const fs::path& in) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  if (files.empty()) throw UsageError(fmt::format("{}: no run files (*.jsonl) there", folder.string()));
  std::ranges::sort(files);
  bool any = false;
  for (const auto& file : files) try {
      add_run_file(file, commits, options, in);
      any = true;
    } catch (const UsageError& error) {
      fmt::print(stderr, "{}", warnings({error.what()}, terminal_of(stderr)));
    }
  return any;
}

void print_next(const std::string& in) {
  fmt::print("next: uotbench history show{}\n", in.empty() ? "" : " --in " + shell_quoted(on_one_line(in)));
}

int add_to_history(const HistoryAddOptions& options) {
  const CommitsToKeep commits;
  const fs::path in = history_folder_of(options.in);
  std::error_code unreadable;
  for (const auto& name : options.runs) {
    if (!fs::is_directory(name, unreadable))
      add_run_file(find_run(name, in_repository("results/runs")), commits, options, in);
    else if (!add_folder(name, commits, options, in))
      throw UsageError(fmt::format("{}: none of its files could be added", name));
  }
  print_next(options.in);
  return exit_ok;
}

/// The commits that this machine has measured, of those that the history holds.
std::set<std::string> measured_here(const fs::path& folder) {
  std::set<std::string> commits;
  std::error_code none;
  if (!fs::exists(folder, none) || fs::is_empty(folder, none)) return commits;
  const std::string here = machine_facts().at("fingerprint");
  for (const auto& entry : read_history(folder).entries)
    if (entry.machine == here) commits.insert(entry.commit.hash);
  return commits;
}

int fill_history(const HistoryFillOptions& options) {
  stop_on_signals();
  const Project project = read_project(options.gate.project.empty() ? find_project(fs::current_path())
                                                                    : fs::path(options.gate.project));
  const auto commits = commits_of_range(Repository(project.repository, &stop_now), options.range);
  const fs::path in = history_folder_of(options.in), runs = cached_runs_folder("fill");
  const auto known = options.again ? std::set<std::string>() : measured_here(in);
  const CommitsToKeep kept;
  std::size_t added = 0, there = 0, tried = 0;
  for (const std::size_t index : order_of_filling(commits.size())) {
    const TrunkCommit& commit = commits[index];
    const std::string name = fmt::format("{} {}", commit.hash.substr(0, 8), on_one_line(commit.subject));
    ++tried;
    if (known.contains(commit.hash)) {
      ++there;
      continue;
    }
    if (!options.gate.run.quiet) fmt::print(stderr, "{} of {}: {}\n", tried, commits.size(), name);
    const MeasuredCommit measured =
        measure_commit(options.gate, project, commit.hash, new_run("fill." + commit.hash.substr(0, 8), runs));
    try {
      if (!measured.run) throw UsageError(measured.why);
      keep_run(*measured.run, commit.hash, kept, in);
      ++added;
    } catch (const UsageError& error) {
      fmt::print("left out: {}: {}\n", name, on_one_line(error.what()));
    }
  }
  if (added + there == 0)
    throw UsageError(
        fmt::format("{}: none of {} could be measured", options.range, counted(commits.size(), "commit")));
  fmt::print("{}: {} added, {} there already, {} left out\n", counted(commits.size(), "commit"), added, there,
             commits.size() - added - there);
  print_next(options.in);
  return exit_ok;
}

int show_history(const HistoryShowOptions& options) {
  if (options.json && options.markdown)
    throw UsageError("--json and --markdown are two formats: give one of them");
  const History history = stored_history(options.stored);
  if (options.json) {
    print_json(json_of(history));
  } else if (options.markdown) {
    fmt::print(stderr, "{}", warnings(history.warnings, terminal_of(stderr)));
    const Table steps = steps_table(history);
    fmt::print("{}", markdown_of(steps.rows.empty() ? std::vector<Table>{lines_table(history)}
                                                    : std::vector<Table>{steps, lines_table(history)}));
  } else {
    fmt::print("{}", text_of(history, terminal_of(stdout)));
  }
  return exit_ok;
}

void add_adding(CLI::App& command, Action& chosen) {
  auto options = std::make_shared<HistoryAddOptions>();
  auto* add = command.add_subcommand("add", "keep what runs measured of a commit");
  add->add_option("RUN", options->runs,
                  "run files, folders of run files, or sweeps' names: their newest runs in results/runs")
      ->required();
  add->add_option("--commit", options->commit,
                  "the commit that was measured; default: that which the run's workers were built from")
      ->type_name("REV");
  add_history_folder(*add, options->in);
  add->footer(
      "Examples:\n  uotbench history add gate\n  uotbench history add results/runs\n"
      "  uotbench history add nightly.jsonl --commit HEAD");
  add->callback([options, &chosen] { chosen = [options] { return add_to_history(*options); }; });
}

void add_filling(CLI::App& command, Action& chosen) {
  auto options = std::make_shared<HistoryFillOptions>();
  auto* fill = command.add_subcommand("fill", "build and measure the commits that a history lacks");
  const auto option = [&](const char* name, auto& value, const char* type, const std::string& about) {
    return fill->add_option(name, value, about)->type_name(type)->check(not_empty);
  };
  fill->add_option("A..B", options->range,
                   "the commits that B has and A has not, along B's first parents; A.. is up to HEAD")
      ->required();
  option("--sweep", options->gate.run.sweep, "FILE", "what is measured (default: gate.json)");
  option("--case", options->gate.run.selection.cases, "ID",
         "only this case; alone: this case, without a sweep")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  option("--filter", options->gate.run.selection.filter, "REGEX", "only cases whose id matches");
  option("--rounds", options->gate.run.measure.rounds, "N", "fresh processes a case is timed in");
  option("--counters", options->gate.run.counters, "LIST", "count, too, as uotbench run does");
  option("--project", options->gate.project, "FILE",
         "how a revision is built (default: uotbench.project.json of this repository)");
  add_history_folder(*fill, options->in);
  fill->add_flag("--again", options->again, "measure commits that this machine has measured, too");
  fill->add_flag("--quiet", options->gate.run.quiet, "print no progress");
  fill->footer(
      "The ends are measured first, then the middles: stopped with Ctrl-C, the same command\n"
      "goes on with what is lacking. A commit that does not build is left out, with the reason.\n"
      "Examples:\n  uotbench history fill v1.2..main\n  uotbench history fill HEAD~20.. --sweep mine.json\n"
      "  uotbench history fill HEAD~20.. --case uot/mine/M:64/N:64@mine");
  fill->callback([options, &chosen] { chosen = [options] { return fill_history(*options); }; });
}

void add_showing(CLI::App& command, Action& chosen) {
  auto options = std::make_shared<HistoryShowOptions>();
  auto* show = command.add_subcommand("show", "print each case over the commits, and its steps");
  show->add_option("PATTERN", options->stored.pattern, "only cases whose id matches this regular expression");
  add_history_folder(*show, options->stored.in);
  add_history_flags(*show, options->stored);
  show->add_flag("--json", options->json, "print all points and steps as JSON, in base units");
  show->add_flag("--markdown", options->markdown, "print the tables in GitHub's Markdown");
  show->footer(
      "Examples:\n  uotbench history show\n  uotbench history show 'map_uot.*threads:2' --delta 5%\n"
      "  uotbench history show --json");
  show->callback([options, &chosen] { chosen = [options] { return show_history(*options); }; });
}

}  // namespace

void add_history(CLI::App& program, Action& chosen) {
  auto* command = program.add_subcommand("history", "keep and show the measurements of many commits");
  command->require_subcommand(1);
  add_adding(*command, chosen);
  add_filling(*command, chosen);
  add_showing(*command, chosen);
  command->footer(
      "A history is a folder of small files, one for each commit, machine and run,\n"
      "which git merges without conflict. uotbench report --history makes a page of it.\n"
      "Examples:\n"
      "  uotbench history add gate\n"
      "  uotbench history fill HEAD~20..\n"
      "  uotbench history show\n"
      "  uotbench report --history -o history.html");
}

}  // namespace uotbench
