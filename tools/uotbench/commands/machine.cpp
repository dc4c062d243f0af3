// uotbench machine: what this machine can do at most, measured with the ruler of every run and kept for them.
#include "harness/host/facts/machine.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "harness/host/facts/usable.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "roofline/model/caches.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/flags/run_flags.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/running/last_level.hpp"
#include "tools/uotbench/running/machine_store.hpp"
#include "tools/uotbench/running/machine_sweep.hpp"
#include "tools/uotbench/views/machine.hpp"
#include "tools/uotbench/views/run.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

struct MachineOptions {
  bool quick = false, show = false, probe = false, json = false, quiet = false;
  std::vector<std::string> workers;
  std::vector<std::int64_t> threads;
  std::string sweep, cpu_affinity;
};

/// `facts`: the machine's, with what was probed.
int print(const Ceilings& ceilings, const MachineFacts& facts, const fs::path& path, bool json) {
  if (json)
    fmt::print("{}\n", Json{{"ceilings", to_json(ceilings)},
                            {"probed_caches", facts.probed_caches()},
                            {"file", path.string()}}
                           .dump(2));
  else
    fmt::print("{}, measured {}\n{}\n{}", on_one_line(ceilings.name), ceilings.made,
               text_of_probes(facts, terminal_of(stdout)),
               text_of(ceilings, Caches(facts), terminal_of(stdout)));
  if (const auto doubts = doubts_about(ceilings); !doubts.empty())
    fmt::print(stderr, "{}", warnings({doubts}, terminal_of(stderr)));
  return exit_ok;
}

int show(const MachineFacts& machine, bool json) {
  const auto stored = stored_ceilings(machine);
  if (!stored.ceilings) throw UsageError(stored.obstacle + ": uotbench machine");
  const auto path = stored_ceilings_path(machine.fingerprint());
  print(*stored.ceilings, machine.with_probed_caches(stored.probed_caches.json()), path, json);
  if (!json) fmt::print("\n{}", paragraph("", setting_changes(path, machine), terminal_of(stdout)));
  return exit_ok;
}

/// Workers as --worker gives them, without their commands.
std::vector<std::string> worker_names(const MachineOptions& options) {
  std::vector<std::string> names;
  for (const auto& worker : options.workers) names.push_back(worker.substr(0, worker.find('=')));
  return names;
}

/// What is to be measured, by the caches as told or, if there, as probed.
MachineSweep wanted_of(const MachineOptions& options, const Caches& caches, const std::vector<int>& cpus,
                       WorkerPool& pool) {
  for (const auto threads : options.threads)
    if (threads < 1 || threads > static_cast<std::int64_t>(cpus.size()))
      throw UsageError(fmt::format("machine: --threads: expected 1 to {} (the usable CPUs), got {}",
                                   cpus.size(), threads));
  MachineSweep wanted{.kernels = {},
                      .quick = options.quick,
                      .memory = pool.context().memory.bytes,
                      .shown = {},
                      .threads = options.threads,
                      .workers = worker_names(options),
                      .cpus = cpus,
                      .spread_cpus = spread_out(cpus)};
  if (!options.sweep.empty()) {
    RunFlags flags;
    flags.sweep = options.sweep;
    const Plan plan = make_plan(read_sweep(flags), pool, {});
    wanted.shown = shown_by(plan, pool, caches);
    if (wanted.shown.empty())
      throw UsageError(
          fmt::format("machine: --sweep {}: none of its cases can run here on CPUs", options.sweep));
  }
  wanted.kernels = ceiling_kernels(pool, wanted.workers);
  return wanted;
}

/// Whether the name of a level depends on how much the last level of cache holds.
bool needs_last_level(const MachineSweep& wanted, const Caches& caches) {
  return wanted.shown.empty() || std::ranges::any_of(wanted.shown, [&](const ShownSet& one) {
           return caches.outside(caches.level_of(one.bytes, one.threads, "close")) == "DRAM";
         });
}

/// One line for every case that is not right; the stored ceilings stay as they are.
int give_up(const Run& run, std::size_t shown = 5) {
  std::size_t bad = 0;
  for (const auto& record : run.records)
    if (is_bad(record.status) && ++bad <= shown)
      fmt::print(stderr, "{}: {}: {}\n", record.id, outcome_of(record),
                 on_one_line(record.reason.value_or("")));
  throw Error(
      fmt::format("machine: {} went wrong; nothing is kept, what was stored stays", counted(bad, "case")));
}

int stopped(const MachineOptions& options) {
  if (!options.quiet) std::fputs("interrupted; the stored ceilings are as they were\n", stderr);
  return exit_interrupted;
}

int machine(const MachineOptions& options) {
  MachineFacts facts = machine_facts();
  if (options.show) return show(facts, options.json);
  const auto path = stored_ceilings_path(facts.fingerprint());
  RunFlags flags;
  flags.cpu_affinity = options.cpu_affinity;
  const auto cpus = chosen_cpus(flags);
  std::error_code missing;
  if (fs::exists(path, missing) && !fs::is_regular_file(path, missing))
    throw UsageError(fmt::format("machine: {} is no file; ceilings would be kept there", path.string()));
  ReplacementFile fresh(path);
  stop_on_signals();
  // Whom to ask for a ceiling has to be known before there is a sweep: that has the timeout of every sweep.
  const RunContext context = context_on(cpus, MeasureOptions{}.case_timeout);
  WorkerPool pool = make_pool(options.workers, context);
  const Caches told(facts);
  MachineSweep wanted = wanted_of(options, told, cpus, pool);  // its errors, before anything is measured
  sweep_for(told, wanted);
  if (options.probe || needs_last_level(wanted, told))
    if (const Json probed = measured_last_level(facts,
                                                {.any = options.probe,
                                                 .quick = options.quick,
                                                 .quiet = options.quiet,
                                                 .workers = worker_names(options)},
                                                pool);
        !probed.is_null()) {
      facts = facts.with_probed_caches(probed);
      wanted = wanted_of(options, Caches(facts), cpus, pool);
    }
  if (stop_now || stop_soon) return stopped(options);
  Execution what{.sweep = sweep_for(Caches(facts), wanted),
                 .plan = {},
                 .output = fresh.path().string(),
                 .force = true,
                 .quiet = options.quiet,
                 .resumable = false,
                 .prove = !options.quick,  // its arrays are of gigabytes, and it has seconds
                 .with_ceilings = false,
                 .probed_caches = facts.probed_caches()};
  what.plan = make_plan(what.sweep, pool, {});
  const Executed done = execute(what, pool);
  if (done.interrupted) return stopped(options);
  if (exit_code_of(done) != exit_ok) return give_up(done.run);
  const Ceilings ceilings = ceilings_measured_in(done.run);
  if (ceilings.roofs.empty())
    throw Error("machine: no case could be run: " + done.run.records.front().reason.value_or(""));
  const auto before = stored_ceilings(facts).ceilings;
  fresh.take_place();
  if (before && before->roofs.size() > ceilings.roofs.size() && !options.quiet)
    fmt::print(stderr, "{} take the place of {} from {}; uotbench machine, as it is, measures all\n",
               counted(ceilings.roofs.size(), "ceiling"), before->roofs.size(), before->made);
  print(ceilings, facts, path, options.json);
  if (!options.quiet && !options.json)
    fmt::print("\n{} in {}\nwritten to {}; later runs carry them\n", counted(done.ran, "case"),
               format_seconds(what.elapsed()), path.string());
  return exit_ok;
}

}  // namespace

void add_machine(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<MachineOptions>();
  auto* command =
      program.add_subcommand("machine", "measure the ceilings of this machine, for the roofs of later runs");
  command->option_defaults()->group("What is measured");
  command->add_flag("--quick", options->quick,
                    "f32, three kernels, 1 and all threads, a third of the working sets");
  command->add_flag("--probe", options->probe,
                    "measure the size of the last level of cache, even where the reported one is plausible");
  command
      ->add_option("--worker", options->workers, "measure with this worker; several: the best of them counts")
      ->type_name("NAME[=CMD]")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  auto* const threads = command
                            ->add_option("--threads", options->threads,
                                         "numbers of threads (default: 1, 2, 4, ... and all CPUs)")
                            ->type_name("LIST")
                            ->delimiter(',')
                            ->allow_extra_args(false);
  command
      ->add_option("--sweep", options->sweep,
                   "only what the table of this sweep needs: its threads, and its working sets")
      ->type_name("FILE")
      ->excludes(threads);
  command->add_option("--cpu-affinity", options->cpu_affinity, "use these CPUs, in this order")
      ->type_name("LIST");
  command->option_defaults()->group("What is printed");
  command->add_flag("--show", options->show,
                    "print what is stored and whether it still fits; measure nothing");
  command->add_flag("--quiet", options->quiet, "print no progress");
  command->add_flag("--json", options->json,
                    "print the ceilings as JSON, in base units; with --show what is stored");
  command->footer(
      "Examples:\n  uotbench machine\n  uotbench machine --show\n  uotbench machine --quick --threads 1,4");
  command->callback([options, &chosen] { chosen = [options] { return machine(*options); }; });
}

}  // namespace uotbench
