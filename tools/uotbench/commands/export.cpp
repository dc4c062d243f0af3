// uotbench export: a stored run for other programs.
#include "results/export/export.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "results/base/whole_file.hpp"
#include "results/record/run_file.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/exit_codes.hpp"
#include "tools/uotbench/flags/flag_values.hpp"

namespace uotbench {
namespace {

using Writer = std::string (*)(const RunView& view);

const std::map<std::string, Writer> writers{
    {"gbench", to_gbench}, {"csv", to_csv}, {"markdown", to_markdown}, {"tex", to_tex}};

}  // namespace

void add_export(CLI::App& program, Action& chosen) {
  struct Options {
    std::string run, format, output;
  };
  auto options = std::make_shared<Options>();
  auto* command = program.add_subcommand("export", "write a stored run for other programs");
  command->add_option("RUN", options->run, "a run file, or a sweep's name: its newest run in results/runs")
      ->required();
  command
      ->add_option(
          "--format", options->format,
          "gbench (Google Benchmark's JSON, for its compare.py), csv (an apostrophe leads texts that a "
          "spreadsheet would run), markdown or tex (booktabs)")
      ->type_name("FORMAT")
      ->required();
  command->add_option("-o,--output", options->output, "a file, written whole or not at all; default: stdout")
      ->type_name("FILE");
  command->footer("Example:\n  uotbench export quickstart --format csv -o quickstart.csv");
  command->callback([options, &chosen] {
    chosen = [options] {
      const Writer writer = writer_for(options->format, writers);
      const Run run = read_run(find_run(options->run));
      const std::string text = writer(view_under_roofs(run));
      if (!options->output.empty()) {
        write_whole(options->output, text);
      } else {
        std::fwrite(text.data(), 1, text.size(), stdout);  // main looks whether it could be written
      }
      return exit_ok;
    };
  });
}

}  // namespace uotbench
