// uotbench run: a sweep, from its JSON to judged, timed, durable records.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <set>

#include "harness/host/memory.hpp"
#include "harness/sweep/crew.hpp"
#include "harness/sweep/plan.hpp"
#include "harness/sweep/quantity.hpp"
#include "harness/sweep/runner.hpp"
#include "results/error.hpp"
#include "results/run_file.hpp"
#include "results/units.hpp"
#include "tools/uotbench/command.hpp"
#include "tools/uotbench/locations.hpp"
#include "tools/uotbench/run_flags.hpp"
#include "tools/uotbench/run_header.hpp"
#include "tools/uotbench/run_view.hpp"

namespace uotbench {
namespace {

// A signal handler can reach nothing but a global.
volatile sig_atomic_t stop_asked = 0;

/// Where --resume goes on: the file named, else the sweep's newest; where there is none, it starts.
std::filesystem::path output_path(const RunFlags& flags, const Sweep& sweep) {
  if (!flags.output.empty()) return flags.output;
  if (flags.resume)
    if (const auto newest = newest_run(sweep.name)) return *newest;
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  return fmt::format("results/runs/{}-{}.{:03}Z.jsonl", sweep.name, utc("{:%Y%m%dT%H%M%S}"),
                     now.time_since_epoch().count() % 1000);
}

void print_plan(const Plan& plan) {
  std::string text;
  for (const auto& group : plan.groups)
    for (const auto& member : group.cases)
      text += member.decided ? fmt::format("{}  {}: {}\n", member.id, name_of(member.decided->status),
                                           member.decided->reason)
                             : member.id + '\n';
  fmt::print("{}", text);
}

Crew make_crew(const RunFlags& flags, const Sweep& sweep, const std::vector<int>& cpus,
               const Memory& memory) {
  auto manifests = read_manifests(configs_folder() / "workers", bin_folder());
  for (const auto& argument : flags.workers) {
    const Manifest given = manifest_from_argument(argument, manifests);
    std::erase_if(manifests, [&](const Manifest& known) { return known.name == given.name; });
    manifests.push_back(given);
  }
  return Crew(std::move(manifests),
              {.cpus = cpus,
               .memory = memory.bytes,
               .memory_limited_by = memory.limited_by,
               .stop = &stop_asked,
               .on_text = {}},
              sweep.measure.case_timeout);
}

/// Writes the first line, or takes up a run that is there: returns the ids that need not be run again.
std::set<std::string> begin(RunFile& file, const RunFlags& flags, const Json& first_line) {
  std::set<std::string> done;
  if (!flags.resume || std::filesystem::file_size(file.path()) == 0) {
    file.append(first_line);
    return done;
  }
  const Run before = read_run(file.path());
  if (!flags.force) require_same(before, first_line);
  for (const auto& record : before.records)
    if (is_final(record.status)) done.insert(record.id);
  Json resume{{"kind", "resume"}};
  for (const char* key : {"started", "options", "machine", "workers"}) resume[key] = first_line.at(key);
  if (first_line.at("plan") != before.header.at("plan")) resume["plan"] = first_line.at("plan");
  file.append(resume);
  return done;
}

/// Runs what is left; true if it was interrupted.
bool run_cases(const RunFlags& flags, const Sweep& sweep, const Plan& plan, const std::vector<int>& cpus,
               Crew& crew, RunFile& file, const std::set<std::string>& done) {
  const auto ids = plan.ids();
  const auto left = static_cast<std::size_t>(
      std::count_if(ids.begin(), ids.end(), [&](const std::string& id) { return !done.contains(id); }));
  Progress progress(stderr, Progress::style_for(stderr, flags.quiet), left,
                    static_cast<double>(left) * (1 + (flags.verify_only ? 0 : sweep.measure.rounds)));
  const auto keep = [&](const std::vector<Record>& records) {
    std::vector<Json> lines;
    for (const auto& record : records) lines.push_back(to_json(record));
    file.append_all(lines);
  };
  RunOptions options{
      .measure = sweep.measure, .verify_only = flags.verify_only, .cpus = cpus, .save_arrays = {}};
  if (!flags.save_arrays.empty()) options.save_arrays = flags.save_arrays;
  bool interrupted = false;
  try {
    Runner(crew, options, progress, keep).run(plan, done);
  } catch (const Interrupted&) {
    interrupted = true;
  }
  progress.close();
  return interrupted;
}

double memory_asked_for(const RunFlags& flags) try {
  return parse_bytes(flags.memory);
} catch (const UsageError& error) {
  throw UsageError(fmt::format("--memory: {}", error.what()));
}

/// Known before anything is run or written: --save-arrays names a folder, or one can be made there.
void require_place_for(const std::filesystem::path& arrays) {
  std::filesystem::path there = std::filesystem::absolute(arrays);
  std::error_code missing;
  while (!std::filesystem::exists(there, missing) && there.has_relative_path()) there = there.parent_path();
  if (!std::filesystem::is_directory(there, missing) || ::access(there.c_str(), W_OK | X_OK) != 0)
    throw UsageError(fmt::format("--save-arrays {}: {} is no folder that can be written", arrays.string(),
                                 there.string()));
}

int run(const RunFlags& flags) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  ::signal(SIGINT, [](int) { stop_asked = 1; });
  ::signal(SIGTERM, [](int) { stop_asked = 1; });

  const Sweep sweep = read_sweep(flags);
  const auto cpus = chosen_cpus(flags);
  Memory memory = available_memory();
  if (!flags.memory.empty()) memory = {memory_asked_for(flags), "--memory"};
  if (!flags.save_arrays.empty()) require_place_for(flags.save_arrays);
  Crew crew = make_crew(flags, sweep, cpus, memory);
  const Plan plan = make_plan(sweep, crew, flags.selection, {cpus.size(), memory.bytes, memory.limited_by});
  if (flags.dry_run) {
    print_plan(plan);
    fmt::print(stderr, "{} cases in {} groups, planned in {}; nothing was run\n", plan.size(),
               plan.groups.size(), format_seconds(elapsed()));
    return exit_ok;
  }

  const Json first_line = run_header(sweep, flags.verify_only, cpus, crew, plan);
  RunFile file(output_path(flags, sweep), flags.resume  ? RunFile::Mode::continue_
                                          : flags.force ? RunFile::Mode::replace
                                                        : RunFile::Mode::create);
  const auto done = begin(file, flags, first_line);
  const bool interrupted = run_cases(flags, sweep, plan, cpus, crew, file, done);
  file.append({{"kind", "end"},
               {"finished", utc("{:%Y-%m-%dT%H:%M:%SZ}")},
               {"elapsed", elapsed()},
               {"status", interrupted ? "interrupted" : "complete"}});

  const Run result = read_run(file.path());
  if (!flags.quiet) {
    const auto ran = static_cast<double>(plan.size() - done.size());
    fmt::print("{}\n{} cases in {}", table_of(view_of(result)), ran, format_seconds(elapsed()));
    if (flags.verify_only && ran > 0) fmt::print(" ({} a case)", format_seconds(elapsed() / ran));
    fmt::print("\nrun file: {}\nnext:     uotbench show {}\n", file.path().string(), file.path().string());
  }
  const bool bad = std::any_of(result.records.begin(), result.records.end(),
                               [](const Record& record) { return is_bad(record.status); });
  return interrupted ? exit_interrupted : bad ? exit_failed : exit_ok;
}

}  // namespace

void add_run(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<RunFlags>();
  auto* command =
      program.add_subcommand("run", "run a sweep: judge every result, time what is right, keep the records");
  declare(*command, *flags);
  command->callback([flags, &chosen] {
    chosen = [flags] {
      try {
        return run(*flags);
      } catch (const Interrupted&) {  // while it was planned: nothing is written yet
        return static_cast<int>(exit_interrupted);
      } catch (const WorkerFailure& failure) {  // the oracle worked a moment ago
        throw Error(failure.reason);
      }
    };
  });
}

}  // namespace uotbench
