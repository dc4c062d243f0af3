// uotbench figure: pictures of stored runs, one by flags or all of a paper's by a file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "tools/uotbench/explaining/in_core.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/running/figure_jobs.hpp"

namespace uotbench {
namespace {

struct FigureOptions {
  std::string kind, spec, only, height, x, y, over, value, source, mcpu;
  std::vector<std::string> runs, machines;
  FigureFlags figure;
};

FigureJob job_of(const FigureOptions& options) {
  if (options.kind.empty() || options.runs.empty())
    throw UsageError(
        fmt::format("figure: give KIND and RUN, or --spec FILE; kinds: {}; see uotbench figure --help",
                    fmt::join(figure_kinds(), ", ")));
  if (options.figure.output.empty())
    throw UsageError("figure: --output is required; see uotbench figure --help");
  FigureSpec spec = spec_of(options.kind, options.figure);
  if (!options.height.empty()) spec.height = parse_length(options.height);
  spec.x = options.x;
  spec.y = options.y;
  if (!options.over.empty() && options.kind == "misses")
    throw UsageError(
        "figure misses: --over is what speedup and scaling are over; uotbench show RUN --counters --baseline "
        "VARIANT "
        "holds misses against a variant's");
  if (!options.over.empty()) spec.over = over_value("--over", options.over);
  spec.value = options.value;
  spec.source = options.source;
  spec.analyse = CodeAnalyser(options.mcpu);
  return {.pointer = "",
          .file = options.figure.output,
          .runs = options.runs,
          .machines = {options.machines.begin(), options.machines.end()},
          .spec = std::move(spec),
          .options = options.figure.options};
}

/// What a figure is stands in the file alone.
void refuse_flags_beside_spec(const CLI::App& command) {
  for (const auto* option : command.get_options())
    if (const std::string name = option->get_name();
        option->count() > 0 && name != "--spec" && name != "--only" && name != "--mcpu")
      throw UsageError(
          fmt::format("figure: {} with --spec: write it in the file, which says what is drawn", name));
}

}  // namespace

void add_figure(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<FigureOptions>();
  auto* command = program.add_subcommand(
      "figure",
      "draw tile maps, speedups, scaling, sizes, miss rates, ladders, solves, ranks, phases, components");
  command->add_option("KIND", options->kind, fmt::format("{}", fmt::join(figure_kinds(), ", ")));
  command->add_option("RUN", options->runs,
                      "run files, or sweeps' names: the newest run of each in results/runs");
  add_figure_flags(*command, options->figure);
  command->get_option("--output")->required(false);
  command->option_defaults()->group("The file");
  command->add_option("--height", options->height, "cm, mm, in or pt; default: what its parts need")
      ->type_name("HEIGHT");
  command->option_defaults()->group("Axes and values");
  command
      ->add_option("--x", options->x,
                   "the horizontal axis of tiles, scaling (default: threads), misses and solves")
      ->type_name("AXIS");
  command->add_option("--y", options->y, "the vertical axis of tiles")->type_name("AXIS");
  command
      ->add_option("--over", options->over,
                   "the reference of speedup and scaling, as uot/numpy_order,threads=1; default: the sweep's "
                   "speedup_over; scaling: itself on the fewest threads")
      ->type_name("REFERENCE");
  command
      ->add_option(
          "--value", options->value,
          "what sizes shows: time (the default) or bandwidth; misses: rate (the default) or count; "
          "tiles: time (the default), or a counter or metric such as GPU.sectors_per_load; ladder: rate, "
          "counters and metrics, with commas between; solves: time (the default), reach:NAME:TARGET, "
          "iterations, error, phase:NAME or fact:NAME; phases: time (the default) or share; ecm: share (the "
          "default) or time; scaling: speedup (the default) or efficiency")
      ->type_name("VALUE");
  command
      ->add_option("--source", options->source,
                   "misses: counts of this source alone, where there are several: callgrind, trace, papi, …")
      ->type_name("SOURCE");
  command
      ->add_option("--machine", options->machines,
                   "ranks, scaling: model the nodes of FILE, too: a specification with a node, also "
                   "by its name in "
                   "configs/machines, such as tianhe1")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_mcpu_flag(*command, options->mcpu, "ecm: ");
  command->option_defaults()->group("From a file that describes figures");
  command->add_option("--spec", options->spec, "draw the figures that FILE describes (configs/figures)")
      ->type_name("FILE");
  command->add_option("--only", options->only, "with --spec: only the figure of this file name")
      ->type_name("NAME");
  command->footer(
      "Intervals are those of paired rounds (ratios) and of processes (times). In\n"
      "tiles, all are framed that cannot be distinguished from the fastest: the\n"
      "interval of their ratio to it reaches 1.\n"
      "Examples:\n"
      "  uotbench figure speedup single_thread -o fig9.pdf\n"
      "  uotbench figure tiles tiling --filter coffee --x rows --y col_block -o a.pdf\n"
      "  uotbench figure tiles tiling --filter simt --value GPU.sectors_per_load -o b.pdf\n"
      "  uotbench figure ladder matching -o ladder.pdf\n"
      "  uotbench figure solves solve --x reg_m --value iterations -o its.pdf\n"
      "  uotbench figure phases simplex -o phases.pdf\n"
      "  uotbench figure ecm explain -o ecm.pdf\n"
      "  uotbench figure scaling threads --over uot/numpy_order -o fig10.svg\n"
      "  uotbench figure ranks strong_scaling --machine tianhe1 -o fig16.pdf\n"
      "  uotbench figure --spec figs.json --only fig9");
  command->callback([options, command, &chosen] {
    chosen = [options, command] {
      if (options->spec.empty()) {
        if (!options->only.empty()) throw UsageError("--only chooses from --spec FILE: give --spec");
        draw_all({job_of(*options)}, "");
      } else {
        refuse_flags_beside_spec(*command);
        const std::filesystem::path file = options->spec;
        auto jobs = read_jobs(file, options->only);
        for (auto& job : jobs) job.spec.analyse = CodeAnalyser(options->mcpu);
        draw_all(jobs, file.parent_path().empty() ? "." : file.parent_path());
      }
      return exit_ok;
    };
  });
}

}  // namespace uotbench
