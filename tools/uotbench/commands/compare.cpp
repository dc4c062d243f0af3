// uotbench compare: ratios of two runs, or of two values of an axis.
#include "results/view/compare.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/run_file/run_file.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/explaining/in_core.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/views/run.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

struct CompareOptions {
  std::vector<std::string> runs;
  std::string vary, base, ignore, mcpu;
  bool speedups = false, json = false, explain = false;
};

void print(const Comparison& comparison, const CompareOptions& options,
           const std::optional<std::vector<Change>>& changes = std::nullopt) {
  if (options.json) {
    Json json = json_of(comparison);
    if (changes) json["explained"] = json_of(*changes);
    print_json(json);
    return;
  }
  fmt::print("{}", text_of(comparison, {.speedups = options.speedups}, terminal_of(stdout)));
  if (changes) fmt::print("\n{}", text_of(table_of(*changes), terminal_of(stdout)));
}

int compare(const CompareOptions& options) {
  if (!options.ignore.empty() && options.ignore != "worker")
    throw UsageError(fmt::format("--ignore: expected worker, got \"{}\"", options.ignore));
  if (!options.vary.empty()) {
    if (options.explain) throw UsageError("--explain is for two runs: give A and B, without --vary");
    if (options.runs.size() != 1) throw UsageError("--vary compares within one run: give one RUN");
    if (!options.ignore.empty())
      throw UsageError("--ignore is for two runs, --vary for one: give one of them");
    const Run run = read_run(find_run(options.runs[0]));
    const RunView view = view_under_roofs(run);
    const auto base = options.base.empty() ? std::nullopt : std::optional(options.base);
    print(compare_within(view, options.vary, base), options);
    return exit_ok;
  }
  if (!options.base.empty()) throw UsageError("--base is a value of the axis that --vary names: give --vary");
  if (options.runs.size() != 2)
    throw UsageError("compare: give two runs, or one with --vary worker, --vary variant or --vary AXIS");
  auto second = std::async(std::launch::async, [&] { return read_run(find_run(options.runs[1])); });
  const Run a = read_run(find_run(options.runs[0])), b = second.get();
  const RunView view_a = view_under_roofs(a), view_b = view_under_roofs(b);
  std::optional<std::vector<Change>> changes;
  if (options.explain) {
    CodeAnalyser analyser(options.mcpu);
    changes = changes_of(explain_all(view_a, std::ref(analyser)), explain_all(view_b, std::ref(analyser)));
  }
  print(compare_runs(view_a, view_b, options.ignore == "worker"), options, changes);
  return exit_ok;
}

}  // namespace

void add_compare(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<CompareOptions>();
  auto* command = program.add_subcommand("compare", "compare two runs, or two values of an axis in one");
  command
      ->add_option("RUN", options->runs,
                   "a run file, or a sweep's name: its newest run in results/runs; the first is A")
      ->required();
  command->add_option("--vary", options->vary, "worker, variant or an axis: compare its values in one run")
      ->type_name("AXIS");
  command
      ->add_option("--base", options->base, "the value that the others are compared with; default: the first")
      ->type_name("VALUE");
  command->add_option("--ignore", options->ignore, "match cases of two runs across workers")
      ->type_name("worker");
  command->add_flag("--speedups", options->speedups, "print both sides' speedups and their ratio, too");
  command->add_flag("--explain", options->explain,
                    "two runs: which part of each time changed most (see uotbench explain)");
  add_mcpu_flag(*command, options->mcpu, "--explain: ");
  command->add_flag("--json", options->json, "print all rows as JSON, in base units");
  command->footer(
      "Examples:\n"
      "  uotbench compare quickstart --vary variant\n"
      "  uotbench compare before.jsonl after.jsonl\n"
      "  uotbench compare scaling --vary threads --base 1\n"
      "Exit code 6: there is nothing to compare.");
  command->callback([options, &chosen] { chosen = [options] { return compare(*options); }; });
}

}  // namespace uotbench
