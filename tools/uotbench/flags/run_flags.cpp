#include "tools/uotbench/flags/run_flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "harness/host/facts/usable.hpp"
#include "harness/sweep/counting/counting.hpp"
#include "harness/sweep/language/schema.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/locations.hpp"

namespace uotbench {

/// An option that may be given again and again, a value each time: else a variant after one would be taken
/// for one more value.
static CLI::Option* repeatable(CLI::Option* option) {
  return option->expected(1)->allow_extra_args(false)->take_all();
}

static void declare_cases(CLI::App& command, RunFlags& flags) {
  const std::string group = "What is run";
  const auto option = [&](const char* name, auto& value, const char* type, const std::string& about) {
    return command.add_option(name, value, about)->type_name(type)->group(group)->check(not_empty);
  };
  option("--sweep", flags.sweep, "FILE", "a sweep file, from here or from configs/");
  repeatable(option("-a,--axis", flags.axes, "AXIS=VALUES",
                    "values of an axis: threads=1,2; tied axes: M,N=512,512;4096,4096"));
  repeatable(
      option("--worker", flags.workers, "NAME[=CMD]", "run on this worker; with a command, one of your own"));
  option("--filter", flags.selection.filter, "REGEX", "only cases whose id matches");
  option("--exclude", flags.selection.exclude, "REGEX", "leave out cases whose id matches");
  repeatable(option("--case", flags.selection.cases, "ID", "only this case; needs no sweep and no variants"));
  option("--shard", flags.shard, "K/N", "one part of the cases, for several machines; see uotbench merge");
  option("--seed", flags.seed, "N", "the problems' random seed, as -a seed=N");
  command.add_flag("--dry-run", flags.dry_run, "print the cases, how many and how long, and stop")
      ->group(group);
}

static void declare_measure(CLI::App& command, RunFlags& flags) {
  const std::string group = "How it is measured";
  const MeasureOptions standard;
  const auto option = [&](const char* name, auto& value, const char* type, const std::string& about) {
    command.add_option(name, value, about)->type_name(type)->group(group)->check(not_empty);
  };
  option("--rounds", flags.measure.rounds, "N",
         fmt::format("fresh processes per case (default: {})", standard.rounds));
  option(
      "--min-samples", flags.measure.min_samples, "N",
      fmt::format("least number of samples per case, over its rounds (default: {})", standard.min_samples));
  option("--max-noise", flags.measure.max_noise, "PERCENT",
         fmt::format("stop sampling when the median is known this well (default: {:g}%)",
                     100 * standard.max_noise));
  option("--max-time", flags.measure.max_time, "TIME",
         fmt::format("stop sampling a case after this long (default: {:g}s)", standard.max_time));
  option("--case-timeout", flags.measure.case_timeout, "TIME",
         fmt::format("kill a process after this long (default: {:g}s)", standard.case_timeout));
  option("--stop-after", flags.stop_after, "TIME",
         "begin nothing that would end later than this; --resume continues");
  option("--counters", flags.counters, "LIST",
         "count, too: auto, none, groups such as cache,traffic, or SOURCE:GROUP, SOURCE:EVENT");
  option("--caches", flags.measure.caches, "LIST",
         "caches for simulated counters: L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16 (default: this machine's)");
  option("--speedup-over", flags.speedup_over, "VARIANT[@WORKER]",
         "the reference of speedups, as uot/numpy_order or uot/numpy_order,threads=1 (default: the sweep's "
         "speedup_over, else each group's first variant)");
  option("--cpu-affinity", flags.cpu_affinity, "LIST", "use these CPUs, in this order");
  option("--device", flags.device, "N", "the GPU that workers use, from 0 (default: the first)");
  option("--memory", flags.memory, "SIZE", "the memory a case may take (default: what is available)");
  option("--under", flags.under, "CMD", "one case under a program such as \"perf stat\" or \"gdb --args\"");
  command.add_option("--by-hand", flags.by_hand)->group("");  // for a worker's own use
  command.add_flag("--once", flags.once, "with --under: one iteration only")->group(group);
  command.add_flag("--verify-only", flags.verify_only, "verify, do not time")->group(group);
  command
      .add_flag("--stored-ceilings", flags.stored_ceilings,
                "use the ceilings of uotbench machine only; default: those that are missing or "
                "minutes old are measured between the cases, in 5 s or 10% of the run")
      ->envname("UOTBENCH_STORED_CEILINGS")
      ->group(group);
}

static void declare_output(CLI::App& command, RunFlags& flags) {
  const std::string group = "What is kept and printed";
  command.add_option("-o,--output", flags.output, "the run file (default: results/runs/NAME-UTC.jsonl)")
      ->type_name("FILE")
      ->group(group);
  command
      .add_flag("--force", flags.force,
                "overwrite the run file; with --resume: go on although something changed")
      ->group(group);
  command.add_flag("--resume", flags.resume, "go on with the run file (default: the sweep's newest)")
      ->group(group);
  command
      .add_option("--save-arrays", flags.save_arrays,
                  "keep inputs and outputs of every right case in this folder, as .npy")
      ->type_name("DIR")
      ->group(group);
  command.add_flag("--quiet", flags.quiet, "print nothing but errors")->group(group);
}

void declare(CLI::App& command, RunFlags& flags) {
  command.add_option("VARIANT", flags.variants,
                     "variants to run without a sweep file, e.g. uot/map_uot or 'uot/*'");
  declare_cases(command, flags);
  declare_measure(command, flags);
  declare_output(command, flags);
  command.footer(
      "Examples:\n"
      "  uotbench run uot/map_uot uot/one_read -a M,N=4096,4096 -a threads=1,2\n"
      "  uotbench run --sweep quickstart.json --filter one_read\n"
      "  uotbench run --case uot/map_uot/M:4096/N:4096@native-v3 --under 'perf stat'");
}

/// CLI11 would take 99999999999999999999 for the largest number it knows.
static void require_integer(const char* flag, const std::string& text) {
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || rest != text.data() + text.size())
    throw UsageError(fmt::format("run: {}: \"{}\" is not an integer; see uotbench run --help", flag, text));
}

Sweep read_sweep(const RunFlags& flags) {
  const bool named = flags.sweep.empty() && flags.variants.empty() && !flags.selection.cases.empty();
  if (!named && flags.sweep.empty() == flags.variants.empty())
    throw UsageError(
        "run: give --sweep FILE, variants or --case ID, for example: uotbench run uot/map_uot -a "
        "M,N=4096,4096");
  if (named && (!flags.axes.empty() || flags.seed))
    throw UsageError("run: a case's id names its axes; give -a and --seed with variants or a sweep");
  if (flags.once && flags.under.empty()) throw UsageError("run: --once is for --under CMD");
  SweepOverrides overrides = flags.measure;
  for (const auto& text : flags.axes) overrides.axes.push_back(parse_axis_override(text));
  if (flags.seed) {
    require_integer("--seed", *flags.seed);
    overrides.axes.push_back(parse_axis_override(fmt::format("seed={}", *flags.seed)));
  }
  if (!flags.counters.empty()) overrides.counters = split_counters(flags.counters);
  if (!flags.speedup_over.empty()) overrides.speedup_over = over_value("--speedup-over", flags.speedup_over);
  const Json schema = read_strictly(configs_folder() / "sweep.schema.json");
  if (named) return sweep_without_cases(schema, "command line", overrides);
  for (const auto& worker : flags.workers) overrides.workers.push_back(worker.substr(0, worker.find('=')));
  if (flags.sweep.empty()) return sweep_from(sweep_json(flags.variants), schema, "command line", overrides);
  const auto path = find_sweep(flags.sweep);
  return sweep_from(read_strictly(path), schema, path.filename(), overrides);
}

std::vector<int> chosen_cpus(const RunFlags& flags) {
  const auto usable = usable_cpus();
  if (flags.cpu_affinity.empty()) return usable;
  std::vector<int> wanted;
  try {
    wanted = parse_cpu_list(flags.cpu_affinity);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--cpu-affinity {}: {}", flags.cpu_affinity, error.what()));
  }
  for (const int cpu : wanted)
    if (std::find(usable.begin(), usable.end(), cpu) == usable.end())
      throw UsageError(fmt::format("--cpu-affinity {}: CPU {} may not be used here; these may: {}",
                                   flags.cpu_affinity, cpu, fmt::join(usable, ",")));
  return wanted;
}

}  // namespace uotbench
