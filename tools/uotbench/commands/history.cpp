// uotbench history: what happened to each case over the commits, and at which it stepped.
#include "results/history/history.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/export/tables.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/view/shell_words.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/exit_codes.hpp"
#include "tools/uotbench/past/past.hpp"
#include "tools/uotbench/views/print_json.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

struct HistoryAddOptions {
  std::vector<std::string> runs;
  std::string commit, in;
};

struct HistoryShowOptions {
  PastOptions past;
  bool json = false, markdown = false;
};

/// Adds what one run file holds, and says so. Throws UsageError where it holds nothing to keep.
void add_run_file(const fs::path& file, const CommitsToKeep& commits, const HistoryAddOptions& options,
                  const fs::path& folder) {
  const Run run = read_run(file);
  const std::string revision = options.commit.empty() ? commit_of_run(run) : options.commit;
  const std::string started = run.header.value("started", "");
  const auto entries = entries_of(run, commits.find(revision, started));
  if (entries.empty())
    throw UsageError(fmt::format("{}: no case of it is ok, so that there is nothing to keep", file.string()));
  for (const auto& entry : entries) {
    const StoredEntry stored = store(folder, entry);
    fmt::print("{}: {} of {} in {}\n", stored.fresh ? "added" : "there already",
               counted(entry.cases.size(), "case"), on_one_line(text_of(entry.commit)),
               on_one_line(stored.file.string()));
  }
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
  fmt::print("next: uotbench history show{}\n",
             options.in.empty() ? "" : " --in " + shell_quoted(on_one_line(options.in)));
  return exit_ok;
}

int show_history(const HistoryShowOptions& options) {
  if (options.json && options.markdown)
    throw UsageError("--json and --markdown are two formats: give one of them");
  const History history = past_of(options.past);
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

void add_showing(CLI::App& command, Action& chosen) {
  auto options = std::make_shared<HistoryShowOptions>();
  auto* show = command.add_subcommand("show", "print each case over the commits, and its steps");
  show->add_option("PATTERN", options->past.pattern, "only cases whose id matches this regular expression");
  add_history_folder(*show, options->past.in);
  add_history_flags(*show, options->past);
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
  add_showing(*command, chosen);
  command->footer(
      "A history is a folder of small files, one for each commit, machine and run,\n"
      "which git merges without conflict. uotbench report --history makes a page of it.\n"
      "Examples:\n"
      "  uotbench history add gate\n"
      "  uotbench history show\n"
      "  uotbench report --history -o history.html");
}

}  // namespace uotbench
