// uotbench gate: is the candidate slower than the baseline?
#include "tools/uotbench/views/gate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "harness/sweep/revisions/project.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/whole_file.hpp"
#include "results/gate/tell/formats.hpp"
#include "results/statistics/statistics.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/gating/run.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

// Enough to tell 1% of noise from 5%; a minute or less for a dozen cases.
constexpr std::size_t pairs_of_a_plan = 6;

/// Whole or not at all, where a file's place can be taken; what is none (/dev/stdout, a pipe) is written to.
void write(const std::string& file, const std::string& flag, const std::string& text) try {
  std::error_code none;
  if (!std::filesystem::exists(file, none) || std::filesystem::is_regular_file(file, none))
    return write_whole(file, text);
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw Error(file + ": it cannot be written");
} catch (const Error& error) {
  throw Error(fmt::format("{} {}", flag, error.what()));
}

/// Files first: a pipe that is closed takes nothing away from them. One that cannot be written takes nothing
/// away from the others, nor from the verdict. Returns the exit code, `code` unless that is 0 and one is
/// missing.
int tell(const GateReport& report, const GateFlags& flags, int code) {
  const auto try_to_write = [&](const std::string& file, const char* flag, const std::string& text) {
    if (file.empty()) return;
    try {
      write(file, flag, text);
    } catch (const Error& error) {
      fmt::print(stderr, "uotbench: {}\n", error.what());
      if (code == exit_ok) code = exit_failed;
    }
  };
  try_to_write(flags.junit, "--junit", junit_of(report));
  try_to_write(flags.markdown, "--markdown", markdown_of(report));
  if (flags.json) {
    print_json(to_json(report));
    return code;
  }
  if (flags.github) fmt::print("{}", github_of(report));
  if (!flags.run.quiet && !report.obstacle) {  // that was said on stderr
    fmt::print("{}", text_of(report, terminal_of(stdout)));
    if (!report.run.empty()) fmt::print("run file: {}\n", report.run);
  }
  return code;
}

/// What each case would take, from a few processes of the baseline and of its copy.
int plan(const GateFlags& flags, const GateOptions& options, GateSetup& setup) {
  const auto cases = setup.timed();
  Progress progress = gate_progress(flags.run.quiet, cases.size());
  // The candidate is the baseline's copy here: nothing is to be slowed down.
  AbSession session(setup.arms, setup.baseline_pool, cases, {.slowdown = {}, .seed = options.seed}, progress);
  session.calibrate();
  std::vector<AbRequest> requests;
  for (std::size_t which = 0; which < cases.size(); ++which)
    if (!session.failed(which)) requests.push_back({which, pairs_of_a_plan, false});
  const auto pairs = session.measure(requests);
  progress.close();
  std::vector<GatePlanRow> rows;
  for (std::size_t which = 0, measured = 0; which < cases.size(); ++which) {
    GatePlanRow row{
        .id = cases[which].member->id, .process = session.pace(which).process, .noise = {}, .obstacle = {}};
    for (const auto& failure : session.failures())
      if (failure.which == which) row.obstacle = failure.reason;
    if (measured < requests.size() && requests[measured].which == which) {
      std::vector<double> logarithms;
      for (const auto& pair : pairs[measured]) logarithms.push_back(std::log(pair.candidate / pair.baseline));
      if (logarithms.size() > 2) row.noise = scaled_mad(logarithms);
      ++measured;
    }
    rows.push_back(row);
  }
  if (flags.json)
    print_json(plan_json(rows, options.rules));
  else
    fmt::print("{}", plan_text(rows, options.rules, terminal_of(stdout)));
  return exit_ok;
}

/// Every process of every case, whatever its arm: all ran the same code.
GateTrace trace_of(const GateRun& run, const GateSetup& setup, const GateReport& report) {
  GateTrace trace{.about = "uotbench gate --self-check: fresh processes of one build, cases in turns",
                  .recorded = report.started,
                  .machine = report.machine,
                  .cases = {}};
  for (const auto& one : run.times().cases) {
    std::map<double, double> by_start;
    for (const auto& arm : setup.arms)
      if (const Record* const record = run.file().record(one.member->id, arm); record && record->time)
        for (const auto& process : record->time->processes) by_start[process.start] = median(process.samples);
    GateTrace::Case recorded{.id = one.member->id, .seconds = {}};
    for (const auto& [start, seconds] : by_start) recorded.seconds.push_back(seconds);
    if (!recorded.seconds.empty()) trace.cases.push_back(std::move(recorded));
  }
  return trace;
}

int tell_self_check(const GateRun& run, const GateSetup& setup, const GateReport& report,
                    const GateFlags& flags, const GateOptions& options) {
  if (!flags.record.empty()) write(flags.record, "--record", text_of(trace_of(run, setup, report)));
  if (flags.json)
    print_json(self_check_json(report, options.rules));
  else
    fmt::print("{}", self_check_text(report, options.rules, terminal_of(stdout)));
  return report.interrupted ? exit_interrupted : exit_ok;
}

int gate(const GateFlags& flags) {
  const auto started = std::chrono::steady_clock::now();
  const GateOptions options = options_of(flags);
  stop_on_signals();
  if (!flags.baseline_run.empty()) {
    const GateReport report = gate_stored(flags, options, started);
    return tell(report, flags, exit_code_of(report));
  }
  const auto give_up = [&](const GateObstacle& obstacle) {
    fmt::print(stderr, "uotbench: {}\n", obstacle.reason);
    return tell(report_of(flags, options, obstacle, started), flags, obstacle.exit_code);
  };
  std::optional<GateSetup> built;
  try {
    built.emplace(flags, gate_sources(flags));
  } catch (const BuildFailed& failure) {
    return give_up({.exit_code = exit_not_built, .reason = failure.what(), .said = failure.said()});
  } catch (const BothBroken& failure) {
    return give_up({.exit_code = exit_incomplete, .reason = failure.what(), .said = {}});
  }
  GateSetup& setup = *built;
  if (flags.plan) return plan(flags, options, setup);
  // A budget is for what has to be measured every time; builds are kept.
  GateRun run(setup, flags, options, std::chrono::steady_clock::now());
  const GateReport report = run.run();
  if (flags.self_check) return tell_self_check(run, setup, report, flags, options);
  return tell(report, flags, exit_code_of(report));
}

}  // namespace

void add_gate(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<GateFlags>();
  auto* command = program.add_subcommand("gate", "compare two builds, and fail CI if one is slower");
  declare(*command, *flags);
  command->callback([flags, &chosen] { chosen = [flags] { return gate(*flags); }; });
}

}  // namespace uotbench
