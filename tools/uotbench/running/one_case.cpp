#include "tools/uotbench/running/one_case.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>

#include "harness/host/facts/usable.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/run/runner.hpp"
#include "harness/sweep/run/session.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/statistics/statistics.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/execute.hpp"

namespace uotbench {
namespace {

void stay_on(const std::vector<int>& cpus) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &mask);
  ::sched_setaffinity(0, sizeof mask, &mask);
}

const Case& only_case(const Plan& plan) {
  const auto ids = plan.ids();
  if (ids.size() != 1)
    throw UsageError(fmt::format("--under runs one case, these are {}; choose with --case, the first is {}",
                                 ids.size(), ids.empty() ? "none" : ids.front()));
  const Case& member = plan.groups.front().cases.front();
  if (member.decided) throw UsageError(fmt::format("--under: {}: {}", member.id, member.decided->reason));
  return member;
}

}  // namespace

void run_under(const std::string& command, bool once, const Plan& plan, WorkerPool& pool) {
  const Case& member = only_case(plan);
  std::vector<std::string> words = split_command(command, "--under");
  if (words.empty())
    throw UsageError("--under: expected a command such as \"perf stat\" or \"gdb --args\", got \"\"");
  const Manifest worker = pool.manifest(member.worker).launched(settings_of(member.point));
  words.insert(words.end(), worker.command.begin(), worker.command.end());
  words.insert(words.end(), {"--case", member.id});
  if (once) words.emplace_back("--once");

  stay_on(cpus_for(member, pool.context()));
  for (const auto& variable : worker.environment) ::putenv(::strdup(variable.c_str()));
  // It asks this program for inputs, wherever it stands itself.
  ::setenv("UOTBENCH_PROGRAM", std::filesystem::read_symlink("/proc/self/exe").c_str(), 1);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  throw UsageError(fmt::format("--under: {}: {}", words.front(), std::strerror(errno)));
}

namespace {

// A person looks at a breakpoint for as long as it takes.
constexpr double for_ever = 1e9;

/// A worker like any other: its command is what carries the messages to and fro.
Manifest worker_by_hand(const std::string& name) {
  ::dup2(STDIN_FILENO, 3);  // sh takes one digit
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::close(nothing);
  return {.name = name,
          .about = {},
          .command = {"/bin/sh", "-c", "exec 4<&0; cat <&4 >&3 & exec cat <&3 4<&-"},
          .environment = {},
          .isa = {},
          .given = true,
          .by_hand = true};
}

/// With this worker's name in place of any other's.
std::string id_for(const std::string& worker, const std::string& given) {
  const auto at = given.find('@');
  if (at == std::string::npos) return given + "@" + worker;
  if (const auto named = given.substr(at + 1); named != worker)
    fmt::print(stderr, "note: the id names worker {}; this is {}\n", named, worker);
  return given.substr(0, at + 1) + worker;
}

Plan plan_of(const std::string& id, WorkerPool& pool) {
  const NamedCases named = named_cases({id}, pool);
  if (!named.impossible.empty()) throw UsageError("--case: " + named.impossible.front().second);
  Sweep sweep;
  sweep.source = "--case";
  sweep.measure.rounds = 0;  // more threads than CPUs may be looked at
  sweep.cases = named.entries;
  return make_plan(sweep, pool, {});
}

std::string outcome(const Record& record, bool once) {
  if (once) {
    const std::string made = record.env.text("once");
    if (made.empty())
      throw Error(fmt::format(R"({}: /env: the key "once" is missing; expected a unit such as "iteration")",
                              record.id));
    return fmt::format("one {}, not verified", made);
  }
  std::string time = "verified, not timed";
  if (record.time) {
    const auto& samples = record.time->processes.front().samples;
    const auto noise = relative_noise(samples);
    time = fmt::format("{}{} {} {}, {} sample{}", format_seconds(median(samples)),
                       noise ? " (spread " + format_percent(*noise) + ")" : "",
                       record.time->per == Unit::iteration ? "an" : "a", name_of(record.time->per),
                       samples.size(), samples.size() == 1 ? "" : "s");
  }
  return fmt::format("{}, error {:.1e}", time, record.check->error);
}

Record ran(const Plan& plan, WorkerPool& pool, bool once) {
  Record found;
  Progress progress(stderr, Progress::Style::quiet, 1, 1);
  const RunOptions options{.measure = {.rounds = 1, .case_timeout = for_ever},
                           .once = once,
                           .save_arrays = {},
                           .repeat = [](const Case&) { return ""; },
                           .enough = [](const Group&) { return false; }};
  Runner(pool, options, progress, [&](const std::vector<Record>& records) {
    found = records.front();
  }).run(plan, {});
  return found;
}

int judge(const RunFlags& flags) {
  const std::string& name = flags.by_hand;
  auto manifests = read_manifests(configs_folder() / "workers", bin_folder());
  Manifest worker = worker_by_hand(name);
  if (const auto known = std::ranges::find(manifests, name, &Manifest::name); known != manifests.end()) {
    worker.steps = known->steps;
    manifests.erase(known);
  }
  manifests.push_back(worker);
  RunContext context = context_on(usable_cpus(), for_ever);
  context.memory = {std::numeric_limits<double>::infinity(), ""};
  WorkerPool pool(std::move(manifests), context);
  if (const std::string& why = pool.process(name).hello().obstacle; !why.empty()) throw Error(why);
  const Plan plan = plan_of(id_for(name, flags.selection.cases.front()), pool);
  const Case& member = plan.groups.front().cases.front();
  if (member.decided) throw UsageError("--case: " + member.decided->reason);
  if (const auto threads = settings_of(member.point).cpus();
      threads > static_cast<std::int64_t>(context.cpus.size()))
    fmt::print(stderr, "note: {} threads on {} CPUs: not pinned, times mean little\n", threads,
               context.cpus.size());
  const Record record = ran(plan, pool, flags.once);
  if (record.status == Status::crashed) return exit_failed;  // who started the worker sees that it ended
  if (record.status != Status::ok) throw Error(fmt::format("{}: {}", record.id, record.reason.value_or("")));
  fmt::print("{}: {}\n", record.id, outcome(record, flags.once));
  return exit_ok;
}

}  // namespace

int run_by_hand(const RunFlags& flags) {
  const auto fail = [&](const std::exception& error, int code) {
    fmt::print(stderr, "uotbench-worker-{}: {}\n", flags.by_hand, on_one_line(error.what()));
    return code;
  };
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // the arrays go with the worker, whatever is under way
  stop_on_signals();
  try {
    return judge(flags);
  } catch (const UsageError& error) {
    return fail(error, exit_usage);
  } catch (const Interrupted&) {
    return exit_interrupted;
  } catch (const std::exception& error) {
    return fail(error, exit_failed);
  }
}

}  // namespace uotbench
