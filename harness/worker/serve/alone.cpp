#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <new>
#include <optional>
#include <string>

#include "harness/host/process/process.hpp"
#include "harness/host/process/program.hpp"
#include "harness/protocol/messages.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/worker/phases.hpp"
#include "harness/worker/platform.hpp"
#include "harness/worker/serve/serve.hpp"
#include "harness/worker/timing/timed_case.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* help = R"({0}: kernels, run by uotbench, or one case by hand

  {0} --case ID            judge the case, then time it
  {0} --case ID --once     one iteration, not verified
  {0} --list               the variants it holds

  --case ID      as uotbench prints it; @worker may be left out
  --once         load, begin, and exactly one iterate(): for a breakpoint or a profile
  --seconds S    time it this long (2)
  --help         this text

Inputs are made and results judged by uotbench: $UOTBENCH_PROGRAM, else beside
this program, else on PATH. Threads go to the CPUs that this process may use.
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
  if (arguments.id->empty())
    throw UsageError("--case: \"\" is not a case id such as uot/map_uot/M:512/N:512");
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

std::string found_program() {
  if (const char* given = std::getenv("UOTBENCH_PROGRAM"); given && *given) {
    const bool on_path = std::string_view(given).find('/') == std::string_view::npos;
    if (!on_path && !is_program(given))
      throw UsageError(
          fmt::format("UOTBENCH_PROGRAM: \"{}\" is no program; set it to the path of uotbench", given));
    return given;
  }
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  if (is_program(folder / "uotbench")) return folder / "uotbench";
  if (const fs::path found = program_in_path("uotbench"); !found.empty()) return found;
  throw UsageError(fmt::format(
      "no uotbench, which makes inputs and verifies results, in {} or on PATH; set UOTBENCH_PROGRAM to "
      "its path",
      folder.string()));
}

/// Loads, begins, and one call of what is timed, whose unit is returned.
std::string once(const RunRequest& request) {
  const Variant& variant = variant_named(request.variant);
  const Point& point = request.point;
  const Team team(settings_of(point), request.cpus);
  const Phase whole(request.id, category_of(variant));
  enter_platform(point);
  Arrays inputs(request.in, false);
  std::unique_ptr<Instance> instance;
  {
    const Phase phase(Stage::prepare, category_of(variant));
    instance = variant.load(point, inputs, team);
    instance->begin();
  }
  const Phase phase(Stage::sample, category_of(variant), 0);
  instance->timed();
  return name_of(variant.unit(point));
}

/// A run's answers, and what only who started this process by hand can ask for.
std::map<std::string, Handler> answers(const Build& build, double seconds, bool& asked) {
  auto all = worker_answers(build);
  all["run"] = [run = all.at("run"), seconds, &asked](const Json& message, Channel& channel) {
    asked = true;
    RunRequest request = run_request_from(message);
    if (std::holds_alternative<run_step::Once>(request.step))
      return to_json(RunReply{.id = request.id, .env = CaseFacts(Json{{"once", once(request)}})});
    // Until the time is over: a profiler wants it that long, however sure the median is.
    if (std::holds_alternative<run_step::Time>(request.step))
      request.step =
          run_step::Time{.seconds = seconds, .most_samples = std::numeric_limits<std::int64_t>::max()};
    return run(to_json(request), channel);
  };
  return all;
}

}  // namespace

int alone(const Build& build, const std::vector<std::string>& words) {
  const Arguments arguments = parsed(words);
  if (arguments.help || arguments.list) {
    const std::string text =
        arguments.help ? fmt::format(fmt::runtime(help), std::string("uotbench-worker-") + build.name)
                       : listed();
    std::fputs(text.c_str(), stdout);
    return 0;
  }
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw Error("no socket can be made");
  Fd here(ends[0]), there(ends[1]);
  std::vector<std::string> command{found_program(), "run", "--case", *arguments.id, "--by-hand", build.name};
  if (arguments.once) command.emplace_back("--once");
  // A group of its own: Ctrl-C in gdb is for this process. It is not killed when this one ends: it notices,
  // and removes the arrays.
  ChildProcess program({.command = std::move(command),
                        .group = ChildStart::Group::own,
                        .dies_with_parent = false,
                        .in = {ChildStream::Kind::file, there.get()},
                        .out = {ChildStream::Kind::shared},
                        .errors = {ChildStream::Kind::shared}});
  there.close();
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  Channel channel(here.get(), here.get());
  bool asked = false;
  try {
    converse(channel, build.name, hello_facts(build), answers(build, arguments.seconds.value_or(2), asked));
  } catch (const Error&) {  // it is gone, and its exit code says how
  }
  here.close();
  program.wait();
  if (!asked && program.code() == 0)
    throw UsageError(fmt::format("{} asks for nothing, as uotbench would; set UOTBENCH_PROGRAM to its path",
                                 found_program()));
  return program.code();
}

int worker_main(int argc, char** argv, const Build& build) {
  const std::string program = std::string("uotbench-worker-") + build.name;
  const auto fail = [&](const std::string& text, int code) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), text.c_str());
    return code;
  };
  try {
    if (argc == 1) return serve(build.name, hello_facts(build), worker_answers(build), program + " --help");
    return alone(build, {argv + 1, argv + argc});
  } catch (const UsageError& error) {
    return fail(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", 1);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}

}  // namespace uotbench
