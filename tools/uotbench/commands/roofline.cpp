// uotbench roofline: cases under the roofs of their machine, as a figure.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/running/figure_jobs.hpp"

namespace uotbench {
namespace {

Counting counting_of(const std::string& text) {
  if (text == "model") return Counting::model;
  if (text == "paper") return Counting::paper;
  throw UsageError(fmt::format("--counting: expected model or paper, got \"{}\"", text));
}

}  // namespace

void add_roofline(CLI::App& program, Action& chosen) {
  struct Options {
    std::vector<std::string> runs, machines;
    std::string level, counting = "model";
    FigureFlags figure;
  };
  auto options = std::make_shared<Options>();
  auto* command = program.add_subcommand("roofline", "draw cases under the roofs of their machine");
  command->add_option("RUN", options->runs,
                      "run files, or sweeps' names: the newest run of each in results/runs");
  add_figure_flags(*command, options->figure);
  command->option_defaults()->group("Which roofs");
  command->add_option("--level", options->level, "the roof of this level alone: L1, L2, L3 or DRAM")
      ->type_name("LEVEL");
  command
      ->add_option("--counting", options->counting,
                   "how flops are counted: model (the default), or paper, as Eq. 1 of the MAP-UOT paper does")
      ->type_name("HOW");
  command
      ->add_option(
          "--machine", options->machines,
          "draw under the roofs in FILE: a specification, also by its name in configs/machines, or a "
          "run with ceilings; for several machines side by side, give it again")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->footer(
      "A panel shows the roofs of one dtype, number of threads and place: those of\n"
      "the cases with the most threads. The command prints what is left out;\n"
      "--filter chooses other cases. Open marks: the working set fits in a cache.\n"
      "Examples:\n"
      "  uotbench roofline quickstart -o roofline.pdf\n"
      "  uotbench roofline threads --filter threads:4 --width 18cm -o wide.png\n"
      "  uotbench roofline --machine epyc9554 -o machine.svg");
  command->callback([options, &chosen] {
    chosen = [options] {
      FigureSpec spec = spec_of("roofline", options->figure);
      spec.counting = counting_of(options->counting);
      if (!options->level.empty()) spec.level = options->level;
      if (options->runs.empty() && options->machines.empty())
        throw UsageError("roofline: RUN is required, or --machine FILE; see uotbench roofline --help");
      draw_all({{.pointer = "",
                 .file = options->figure.output,
                 .runs = options->runs,
                 .machines = {options->machines.begin(), options->machines.end()},
                 .spec = std::move(spec),
                 .options = options->figure.options}},
               "");
      return exit_ok;
    };
  });
}

}  // namespace uotbench
