// uotbench merge: the shards of a run, joined.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/whole_file.hpp"
#include "results/record/run_file/run_file.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

struct MergeOptions {
  std::vector<std::string> files;
  std::string output;
  bool force = false;
};

std::vector<fs::path> files_of(const MergeOptions& options) {
  std::error_code unreadable;
  if (options.files.size() == 1 && !fs::exists(options.files[0], unreadable))
    return shards_of(options.files[0]);
  return {options.files.begin(), options.files.end()};
}

int merge(const MergeOptions& options) {
  const auto files = files_of(options);
  const Merged merged = merge_runs(files);
  const fs::path output = options.output.empty() ? new_run(merged.sweep) : fs::path(options.output);
  std::error_code missing;
  if (!options.force && fs::exists(output, missing) && !fs::is_empty(output, missing))
    throw UsageError(fmt::format("{}: holds something already; --force replaces it", output.string()));
  for (const auto& file : files)
    if (fs::equivalent(file, output, missing))
      throw UsageError(fmt::format("{}: is one of the files to merge; give another -o", output.string()));
  write_whole(output, merged.text, true);
  fmt::print(stderr, "{}", warnings(merged.warnings, terminal_of(stderr)));
  fmt::print("{} merged\nrun file: {}\nnext:     uotbench show {}\n", counted(files.size(), "file"),
             on_one_line(output.string()), on_one_line(output.string()));
  return exit_ok;
}

}  // namespace

void add_merge(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<MergeOptions>();
  auto* command = program.add_subcommand("merge", "join the run files of a sweep's shards");
  command
      ->add_option("FILE", options->files,
                   "run files, or a sweep's name: the newest of each of its shards in results/runs")
      ->required();
  command
      ->add_option("-o,--output", options->output,
                   "the run file to write, whole or not at all; default: results/runs/NAME-UTC.jsonl")
      ->type_name("FILE");
  command->add_flag("--force", options->force, "replace the output where it exists");
  command->footer(
      "Examples:\n"
      "  uotbench merge tiling\n"
      "  uotbench merge tiling.1of2-*.jsonl tiling.2of2-*.jsonl -o tiling.jsonl\n"
      "  uotbench merge tiling.*of8-*.jsonl -o tiling.jsonl --force");
  command->callback([options, &chosen] { chosen = [options] { return merge(*options); }; });
}

}  // namespace uotbench
