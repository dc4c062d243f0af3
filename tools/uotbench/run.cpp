// uotbench run: a sweep, from its JSON to judged, timed, durable records.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
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

/// The plan in a run file's first line; null where there is none.
Json stored_plan(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  const Json header = Json::parse(line, nullptr, false);
  return header.is_object() ? header.value("plan", Json()) : Json();
}

/// Where --resume goes on: the file named, else the sweep's newest with this plan, else its newest (which
/// will be refused, with the reason); where there is none, it starts.
std::filesystem::path output_path(const RunFlags& flags, const Sweep& sweep, const Json& plan) {
  if (flags.output) return *flags.output;
  if (const auto runs = runs_of(sweep.name); flags.resume && !runs.empty()) {
    const auto same = std::ranges::find_if(runs, [&](const auto& run) { return stored_plan(run) == plan; });
    return same == runs.end() ? runs.front() : *same;
  }
  return new_run(sweep.name);
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
  auto manifests = with_workers(read_manifests(configs_folder() / "workers", bin_folder()), flags.workers);
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

struct Outcome {
  std::size_t ran = 0;  ///< cases that got a final record
  bool interrupted = false;
};

/// Runs what is left.
Outcome run_cases(const RunFlags& flags, const Sweep& sweep, const Plan& plan, const std::vector<int>& cpus,
                  Crew& crew, RunFile& file, const std::set<std::string>& done) {
  const auto ids = plan.ids();
  const auto left = static_cast<std::size_t>(
      std::count_if(ids.begin(), ids.end(), [&](const std::string& id) { return !done.contains(id); }));
  Progress progress(stderr, Progress::style_for(stderr, flags.quiet), left,
                    static_cast<double>(left) * (1 + (flags.verify_only ? 0 : sweep.measure.rounds)));
  Outcome outcome;
  const auto keep = [&](const std::vector<Record>& records) {
    std::vector<Json> lines;
    for (const auto& record : records) {
      lines.push_back(to_json(record));
      outcome.ran += is_final(record.status);
    }
    file.append_all(lines);
  };
  RunOptions options{
      .measure = sweep.measure, .verify_only = flags.verify_only, .cpus = cpus, .save_arrays = {}};
  if (!flags.save_arrays.empty()) options.save_arrays = flags.save_arrays;
  try {
    Runner(crew, options, progress, keep).run(plan, done);
  } catch (const Interrupted&) {
    outcome.interrupted = true;
  }
  progress.close();
  return outcome;
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
  if (flags.output && flags.output->empty())
    throw UsageError("--output: found \"\"; accepted: a file's name");
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
  RunFile file(output_path(flags, sweep, first_line.at("plan")), flags.resume  ? RunFile::Mode::continue_
                                                                 : flags.force ? RunFile::Mode::replace
                                                                               : RunFile::Mode::create);
  const auto done = begin(file, flags, first_line);
  const auto [ran, interrupted] = run_cases(flags, sweep, plan, cpus, crew, file, done);
  file.append({{"kind", "end"},
               {"finished", utc("{:%Y-%m-%dT%H:%M:%SZ}")},
               {"elapsed", elapsed()},
               {"status", interrupted ? "interrupted" : "complete"}});

  const Run result = read_run(file.path());
  if (!flags.quiet) {
    fmt::print("{}\n{} case{} in {}", table_of(view_of(result)), ran, ran == 1 ? "" : "s",
               format_seconds(elapsed()));
    if (flags.verify_only && ran > 0)
      fmt::print(" ({} a case)", format_seconds(elapsed() / static_cast<double>(ran)));
    fmt::print("\n{}", signpost(result, "uotbench show " + file.path().string()));
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
