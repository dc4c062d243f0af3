#include "harness/worker/alone/alone.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>
#include <new>
#include <optional>

#include "harness/protocol/point_json.hpp"
#include "harness/protocol/settings.hpp"
#include "harness/worker/alone/case.hpp"
#include "harness/worker/alone/folder.hpp"
#include "harness/worker/phases.hpp"
#include "harness/worker/platform.hpp"
#include "harness/worker/timing/steps.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

constexpr const char* help = R"({0}: kernels, run by uotbench, or one case by hand

  {0} --case ID            judge the case, then time it
  {0} --case ID --once     one iteration, not judged
  {0} --list               the variants it holds

  --case ID      as uotbench prints it; @worker may be left out
  --once         load, begin, and exactly one iterate(): for a breakpoint or a profile
  --seconds S    time it this long (2)
  --help         this text

Inputs come from uotbench-worker-oracle: $UOTBENCH_ORACLE, else beside this
program, else on PATH. Threads go to the CPUs that this process may use.
Exit code: 0, 1 where the case fails, 2 where the command is wrong.

  gdb --args {0} --case uot/map_uot/M:512/N:512 --once
)";

struct Arguments {
  std::optional<std::string> id;
  bool once = false, list = false, help = false;
  std::optional<double> seconds;
};

double seconds_from(const std::string& text) {
  constexpr double a_day = 86400;
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc() || rest != end || !(seconds > 0) || seconds > a_day)
    throw UsageError(fmt::format("--seconds: \"{}\" is not a number of seconds, such as 5", text));
  return seconds;
}

Arguments parsed(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
    const std::string flag = words[i].substr(0, equals);
    const auto value = [&]() -> std::string {
      if (equals != std::string::npos) return words[i].substr(equals + 1);
      if (i + 1 == words.size()) throw UsageError(flag + " needs a value; see --help");
      return words[++i];
    };
    if (flag == "--case") {
      if (arguments.id) throw UsageError("--case is given twice; a worker by hand runs one case");
      arguments.id = value();
    } else if (flag == "--seconds") {
      arguments.seconds = seconds_from(value());
    } else if (words[i] == "--once") {
      arguments.once = true;
    } else if (words[i] == "--list") {
      arguments.list = true;
    } else if (words[i] == "--help" || words[i] == "-h") {
      arguments.help = true;
    } else {
      throw UsageError(
          fmt::format("\"{}\" is none of --case, --once, --seconds, --list, --help; see --help", words[i]));
    }
  }
  if (arguments.help || arguments.list) return arguments;
  if (!arguments.id) throw UsageError("which case? --case ID; see --help");
  if (arguments.once && arguments.seconds) throw UsageError("--seconds is for timing; --once times nothing");
  return arguments;
}

std::string listed() {
  std::size_t width = 0;
  for (const auto* variant : variants()) width = std::max(width, variant->spec().name.size());
  std::string text;
  for (const auto* variant : variants())
    text += fmt::format("{:<{}}  {}\n", variant->spec().name, width, variant->spec().summary);
  return text;
}

std::vector<int> own_cpus() {
  cpu_set_t mask;
  std::vector<int> cpus;
  if (::sched_getaffinity(0, sizeof mask, &mask) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &mask)) cpus.push_back(cpu);
  return cpus;
}

/// Takes stdout for the result, so that a kernel that prints cannot get between its parts.
class Output {
 public:
  Output() : fd_(::dup(STDOUT_FILENO)) { ::dup2(STDERR_FILENO, STDOUT_FILENO); }
  ~Output() { ::close(fd_); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  void line(const std::string& text) const {
    const std::string whole = text + '\n';
    if (::write(fd_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size()))
      throw Error("stdout cannot be written");
  }

 private:
  int fd_;
};

void note(const std::string& text) { std::fputs(fmt::format("note: {}\n", text).c_str(), stderr); }

/// What the oracle says of the case after so many iterations: its error. Throws Error where it is wrong.
double judged(const AloneCase& chosen, const Task& task, int iterations, Oracle& oracle) {
  oracle.ask({{"type", "poison"},
              {"family", chosen.family},
              {"point", chosen.problem},
              {"folder", task.outputs.string()}},
             "poisoned");
  const Solved solved = solve(task, iterations);
  const auto& tolerance = task.variant.spec().tolerance;
  const Json answer = oracle.ask({{"type", "judge"},
                                  {"family", chosen.family},
                                  {"point", to_json(chosen.point)},
                                  {"arrays", {{"in", task.inputs.string()}, {"out", task.outputs.string()}}},
                                  {"variant", task.variant.spec().name},
                                  {"outputs", solved.written},
                                  {"iterations", iterations},
                                  {"tolerance", tolerance ? Json(*tolerance) : Json(nullptr)}},
                                 "judged");
  if (!answer.at("reason").is_null()) throw Error(answer["reason"].get<std::string>());
  const Json& error = answer.at("check").at("error");
  return error.is_number() ? error.get<double>() : std::numeric_limits<double>::infinity();
}

/// "an iteration", "a part".
std::string unit_of(const Task& task) {
  const Unit unit = task.variant.unit(task.point);
  return std::string(unit == Unit::iteration ? "an " : "a ") + name_of(unit);
}

std::string timed_line(const Task& task, double seconds) {
  // Until the time is over: a profiler wants it that long, however sure the median is.
  const Timed timed = time_iterations(task,
                                      {.max_noise = 0,
                                       .seconds = seconds,
                                       .min_samples = 1,
                                       .most_samples = std::numeric_limits<std::size_t>::max()},
                                      [](const Measured&) {});
  const auto& samples = timed.measured.samples;
  const auto noise = relative_noise(samples);
  return fmt::format("{}{} {}, {} sample{}", format_seconds(median(samples)),
                     noise ? " ±" + format_percent(*noise) : "", unit_of(task), samples.size(),
                     samples.size() == 1 ? "" : "s");
}

/// Which CPUs is what a run decides; here it is who starts this process.
void remark_on_cpus(const Team& team, const std::string& place) {
  const auto threads = static_cast<std::size_t>(team.threads());
  if (!team.pinned())
    note(fmt::format("{} threads on {} CPUs: not pinned, times mean little", threads, team.cpus().size()));
  else if (place != "close" && team.cpus().size() > threads)
    note(
        fmt::format("place:{} is for a run to choose; threads take the first of CPUs {}, choose with taskset",
                    place, fmt::join(team.cpus(), ",")));
}

std::string outcome(const Arguments& arguments, const AloneCase& chosen, Oracle& oracle) {
  const ArraysFolder folder(chosen.bytes);
  oracle.ask({{"type", "prepare"},
              {"family", chosen.family},
              {"point", chosen.problem},
              {"folder", folder.in().string()}},
             "prepared");
  const Settings settings = settings_of(chosen.point);
  const Team team(static_cast<int>(settings.threads), own_cpus());
  remark_on_cpus(team, settings.place);
  const Task task{*chosen.variant, chosen.point, team, folder.in(), folder.out()};
  if (arguments.once) {
    enter_platform(task.point);
    Arrays inputs(task.inputs, false);
    std::unique_ptr<Instance> instance;
    {
      const Phase phase(Stage::prepare, category_of(task));
      instance = task.variant.load(task.point, inputs, task.team);
      instance->begin();
    }
    const Phase phase(Stage::sample, category_of(task), 0);
    instance->timed();
    return fmt::format("one {}, not judged", name_of(task.variant.unit(task.point)));
  }
  std::optional<double> error;
  for (const int iterations : chosen.judged_after) try {
      const double found = judged(chosen, task, iterations, oracle);
      if (!error) error = found;
    } catch (const Error& wrong) {
      if (!error) throw;
      throw Error(fmt::format("after {} iterations: {}", iterations, wrong.what()));
    }
  const bool times = !platform() || platform()->times();
  return fmt::format("{}, error {:.1e}",
                     times ? timed_line(task, arguments.seconds.value_or(2)) : "judged, not timed", *error);
}

}  // namespace

int alone(const std::string& worker, const std::vector<std::string>& words) {
  const Arguments arguments = parsed(words);
  const Output output;
  if (arguments.help || arguments.list) {
    const std::string text =
        arguments.help ? fmt::format(fmt::runtime(help), "uotbench-worker-" + worker) : listed();
    output.line(text.substr(0, text.size() - 1));
    return 0;
  }
  ::signal(SIGPIPE, SIG_IGN);  // an oracle that dies is an error where it is written to
  Oracle oracle;
  const AloneCase chosen = alone_case(*arguments.id, worker, oracle);
  if (const Json facts = platform() ? platform()->hello() : Json::object(); facts.contains("obstacle"))
    throw Error(facts["obstacle"].get<std::string>());
  if (!chosen.elsewhere.empty())
    note(fmt::format("the id names worker {}; this is {}", chosen.elsewhere, worker));
  try {
    const Phase phase(chosen.id, PhaseCategory(chosen.variant->spec().name));
    output.line(fmt::format("{}: {}", chosen.id, outcome(arguments, chosen, oracle)));
  } catch (const std::bad_alloc&) {
    throw Error(chosen.id + ": out of memory");
  } catch (const std::exception& error) {
    throw Error(fmt::format("{}: {}", chosen.id, error.what()));
  }
  return 0;
}

}  // namespace uotbench
