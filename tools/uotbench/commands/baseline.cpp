// uotbench baseline: stored runs that gate holds new ones against.
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/record/run_file/line_json.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/running/run_header.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

struct BaselineOptions {
  std::string run, name, what, reason, by, from;
  bool force = false, json = false;
};

/// Who accepts, where they do not say so: whom CI names, else who is logged in.
std::string this_person() {
  for (const char* variable : {"GITHUB_ACTOR", "GITLAB_USER_LOGIN"})
    if (const char* name = std::getenv(variable); name && *name) return name;
  const passwd* entry = ::getpwuid(::getuid());
  return entry && entry->pw_name && *entry->pw_name ? entry->pw_name : "unknown user";
}

/// "6def655, b1c2d3e with changes": the commits of its workers, each once.
std::string commits_of(const Run& run) {
  std::vector<std::string> commits;
  for (const auto& [name, build] : run.header.workers) {
    const std::string commit = build.commit().substr(0, 7);
    if (commit.empty()) continue;
    const std::string text = commit + (build.dirty() ? " with changes" : "");
    if (std::ranges::find(commits, text) == commits.end()) commits.push_back(text);
  }
  return commits.empty() ? "-" : fmt::format("{}", fmt::join(commits, ", "));
}

/// "AMD EPYC 9654 (0123456789abcdef)".
std::string machine_of(const Run& run) {
  const MachineFacts& machine = run.header.machine;
  if (machine.is_null()) return "unknown";
  const std::string cpu = machine.cpu();
  return fmt::format("{} ({})", cpu.empty() ? "unknown" : cpu, machine.fingerprint());
}

/// "12 ok, 1 skipped".
std::string statuses_of(const Run& run) {
  std::map<Status, std::size_t> counts;
  for (const auto& record : run.records) ++counts[record.status];
  std::string text;
  for (const auto& [status, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(status));
  return text.empty() ? "none" : text;
}

/// Records that hold something a gate decides on without a time.
std::size_t counted_in(const Run& run) {
  return static_cast<std::size_t>(std::ranges::count_if(
      run.records, [](const Record& record) { return !compare_counters(record, record).empty(); }));
}

Json json_of(const std::string& name, const Run& run) {
  const auto known = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  Json ids = Json::array(), accepted = Json::array();
  for (const auto& record : run.records) ids.push_back({{"id", record.id}, {"status", outcome_of(record)}});
  for (const auto& line : accepted_in(run.path))
    accepted.push_back({{"what", line.what},
                        {"reason", line.reason},
                        {"by", line.by},
                        {"at", line.at},
                        {"from", line.from}});
  return {{"name", name},
          {"file", run.path.string()},
          {"sweep", run.header.sweep.name()},
          {"started", known(run.header.started)},
          {"uotbench", known(run.header.uotbench)},
          {"machine", run.header.machine.json()},
          {"workers", to_json(run.header.workers)},
          {"cases", ids},
          {"accepted", accepted},
          {"warnings", run.warnings}};
}

int save(const BaselineOptions& options) {
  const Run run = read_run(find_run(options.run));
  const auto place = baseline_path(options.name.empty() ? run.header.sweep.name() : options.name);
  save_baseline(run, place, options.force);
  fmt::print("baseline: {} ({})\nnext:     uotbench gate --baseline-run {} --sweep {}\n", place.string(),
             statuses_of(run), place.stem().string(), run.header.sweep.name());
  return exit_ok;
}

int list_baselines(const BaselineOptions& options) {
  const auto names = baselines_in();
  if (options.json) {
    Json all = Json::array();
    for (const auto& name : names) all.push_back(json_of(name, read_run(find_baseline(name))));
    print_json(all);
    return exit_ok;
  }
  if (names.empty()) {
    fmt::print("no baselines in {}; uotbench baseline save RUN makes one\n", baselines_folder);
    return exit_ok;
  }
  Table table{
      .columns = {{"baseline"}, {"measured"}, {"commit"}, {"cases"}, {"accepted", Table::Holds::numbers}}};
  for (const auto& name : names) {
    const Run run = read_run(find_baseline(name));
    table.row({{name, Style::strong},
               run.header.started,
               commits_of(run),
               statuses_of(run),
               fmt::format("{}", accepted_in(run.path).size())});
  }
  fmt::print("{}", text_rows(std::move(table), terminal_of(stdout)));
  return exit_ok;
}

int show(const BaselineOptions& options) {
  if (options.name.empty()) return list_baselines(options);
  const Run run = read_run(find_baseline(options.name));
  if (options.json) {
    print_json(json_of(run.path.stem(), run));
    return exit_ok;
  }
  const Terminal terminal = terminal_of(stdout);
  const auto line = [&](const char* head, const std::string& text) {
    fmt::print("{}", paragraph(head, on_one_line(text), terminal));
  };
  line("file:     ", run.path.string());
  line("sweep:    ", run.header.sweep.name());
  line("measured: ", fmt::format("{}, uotbench {}", run.header.started, run.header.uotbench));
  line("commit:   ", commits_of(run));
  line("machine:  ", machine_of(run));
  line("cases:    ", fmt::format("{}; {} with counts that gate", statuses_of(run), counted_in(run)));
  for (const auto& record : run.records)
    line("  ", record.status == Status::ok ? record.id : record.id + ": " + outcome_of(record));
  for (const auto& accepted : accepted_in(run.path))
    line("accepted: ", fmt::format("{}: {} ({}, {}, from {})", accepted.what, accepted.reason, accepted.by,
                                   accepted.at, accepted.from));
  fmt::print("{}", warnings(run.warnings, terminal));
  return exit_ok;
}

int accept(const BaselineOptions& options) {
  const auto place = find_baseline(options.name);
  if (options.reason.find_first_not_of(" \t\n\r") == std::string::npos)
    throw UsageError("--reason: empty; expected one line that says why the change is intended");
  const Run from = read_run(find_run(options.from));
  const AcceptedLine line{.what = options.what,
                          .reason = on_one_line(options.reason),
                          .by = options.by.empty() ? this_person() : options.by,
                          .at = utc("{:%Y-%m-%dT%H:%M:%SZ}"),
                          .from = from.path.string()};
  const auto ids = accept_into(place, from, line, options.force);
  for (const auto& id : ids) fmt::print("accepted {}\n", id);
  fmt::print("{} of {} in {}: review and commit it\n", counted(ids.size(), "case"), from.path.string(),
             place.string());
  return exit_ok;
}

void add_save(CLI::App& command, const std::shared_ptr<BaselineOptions>& options, Action& chosen) {
  auto* save_command = command.add_subcommand("save", "store a run as a baseline");
  save_command
      ->add_option("RUN", options->run, "a run file, or a sweep's name: its newest run in results/runs")
      ->required();
  save_command->add_option("--name", options->name, "its name; default: the sweep's")->type_name("NAME");
  save_command->add_flag("--force", options->force,
                         "replace the baseline of that name; store a run with bad records, too");
  save_command->footer(
      "Examples:\n  uotbench baseline save gate\n  uotbench baseline save results/runs/gate.jsonl --name "
      "main\n"
      "  uotbench baseline save gate --force");
  save_command->callback([options, &chosen] { chosen = [options] { return save(*options); }; });
}

void add_show(CLI::App& command, const std::shared_ptr<BaselineOptions>& options, Action& chosen) {
  auto* show_command = command.add_subcommand("show", "print what is stored, and what was accepted");
  show_command->add_option("NAME", options->name, "a baseline, or a run file; default: a table of all");
  show_command->add_flag("--json", options->json, "print it as JSON");
  show_command->footer(
      "Examples:\n  uotbench baseline show\n  uotbench baseline show gate\n  uotbench baseline show gate "
      "--json");
  show_command->callback([options, &chosen] { chosen = [options] { return show(*options); }; });
}

void add_accept(CLI::App& command, const std::shared_ptr<BaselineOptions>& options, Action& chosen) {
  auto* accept_command =
      command.add_subcommand("accept", "put new records of cases in the place of the old, with a reason");
  accept_command->add_option("NAME", options->name, "a baseline, or a run file")->required();
  accept_command
      ->add_option("CASE", options->what,
                   "a case's id, whole or without its worker, a variant, or a pattern with *")
      ->required();
  accept_command->add_option("--reason", options->reason, "why the change is intended")
      ->type_name("TEXT")
      ->required();
  accept_command
      ->add_option("--from", options->from, "the run with the new records; of a gate's: the candidate's")
      ->type_name("RUN")
      ->required();
  accept_command
      ->add_option("--by", options->by,
                   "the person who accepts; default: the user named by CI, or the one logged in")
      ->type_name("NAME");
  accept_command->add_flag("--force", options->force,
                           "though the run is of another machine, sweep or other simulated caches");
  accept_command->footer(
      "Examples:\n"
      "  uotbench baseline accept gate uot/one_read --reason \"reads once more\" --from gate\n"
      "  uotbench baseline accept gate 'uot/*' --reason \"new compiler\" --from gate --by Ada\n"
      "  uotbench baseline accept gate 'uot/map_uot*' --reason \"exact for masses of 0 now\" "
      "--from "
      "gate");
  accept_command->callback([options, &chosen] { chosen = [options] { return accept(*options); }; });
}

}  // namespace

void add_baseline(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<BaselineOptions>();
  auto* command = program.add_subcommand("baseline", "keep runs that gate compares new ones with");
  command->require_subcommand(1);
  add_save(*command, options, chosen);
  add_show(*command, options, chosen);
  add_accept(*command, options, chosen);
  command->footer(
      "A baseline is a run file in results/baselines, to be reviewed and committed.\n"
      "Examples:\n"
      "  uotbench baseline save gate\n"
      "  uotbench baseline show gate\n"
      "  uotbench baseline accept gate uot/map_uot --reason \"exact for masses of 0 now\" --from gate");
}

}  // namespace uotbench
