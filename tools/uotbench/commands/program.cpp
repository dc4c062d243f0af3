// uotbench: the program, from its arguments to its exit code.
#include <fcntl.h>
#include <fmt/format.h>
#include <stdio_ext.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include "harness/sweep/revisions/project.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/help.hpp"

namespace uotbench {
namespace {

/// `uotbench --sweep x.json` means `uotbench run --sweep x.json`.
std::vector<std::string> with_implied_command(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0].starts_with("--sweep")) arguments.insert(arguments.begin(), "run");
  return arguments;
}

std::vector<std::string> commands_of(const CLI::App& program) {
  std::vector<std::string> names;
  for (const auto* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// A word or flag that the command does not take.
std::string about_extra(const CLI::App& command, const std::string& extra) {
  if (!extra.starts_with('-')) return fmt::format("\"{}\" is one argument too many", extra);
  std::vector<std::string> flags;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) flags.push_back("--" + name);
  return fmt::format("no flag \"{}\"{}", extra, did_you_mean(extra.substr(0, extra.find('=')), flags));
}

/// CLI11's "Could not convert: --rounds = x" with what was expected.
std::string about_value(const CLI::App& command, const std::string& text) {
  const auto colon = text.find(": "), equals = text.find(" = ");
  if (colon == std::string::npos || equals == std::string::npos) return text;
  const std::string name = text.substr(colon + 2, equals - colon - 2);
  const auto* option = command.get_option_no_throw(name);
  const bool integer = option && option->get_type_name() == "N";
  return fmt::format("{}: \"{}\" is not {}", name, text.substr(equals + 3),
                     integer ? "an integer" : "a value it takes");
}

/// Neither a command nor a flag that may stand in its place.
std::string about_first(const CLI::App& program, const std::vector<std::string>& arguments) {
  const auto known = commands_of(program);
  if (!arguments.empty() && arguments[0].starts_with("--")) {
    const std::string flag = arguments[0].substr(0, arguments[0].find('='));
    const std::string meant = did_you_mean(flag, {"--sweep", "--help", "--version"});
    if (!meant.empty()) return fmt::format("no flag \"{}\"{}; see uotbench --help", flag, meant);
  }
  const auto word =
      std::ranges::find_if(arguments, [](const std::string& argument) { return !argument.starts_with('-'); });
  const std::string what = word == arguments.end()
                               ? "no command given"
                               : fmt::format("no command \"{}\"{}", *word, did_you_mean(*word, known));
  return fmt::format("{}; there are: {}; see uotbench --help", what, fmt::join(known, ", "));
}

/// What is wrong with the command line, in one line.
std::string complaint(const CLI::App& program, const std::vector<std::string>& arguments,
                      const CLI::ParseError& error) {
  const auto parsed = program.get_subcommands();
  if (parsed.empty()) return about_first(program, arguments);
  const CLI::App* innermost = parsed.front();
  std::string name = innermost->get_name();
  while (!innermost->get_subcommands().empty()) {
    innermost = innermost->get_subcommands().front();
    name += ' ' + innermost->get_name();
  }
  const CLI::App& command = *innermost;
  const auto extras = command.remaining();
  if (const auto parts = commands_of(command); !parts.empty()) {
    const std::string given = extras.empty() ? "no command given"
                                             : fmt::format("no command \"{}\"{}", extras.front(),
                                                           did_you_mean(extras.front(), parts));
    return fmt::format("{}: {}; there are: {}; see uotbench {} --help", name, given, fmt::join(parts, ", "),
                       name);
  }
  std::string text = error.what();
  text = text.substr(0, text.find('\n'));
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ConversionError)) {
    text = about_value(command, text);
  } else if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch) &&
             text.ends_with(" missing")) {  // "--rounds: 1 required INT missing"
    text = text.substr(0, text.find(':')) + " needs a value";
  } else if (!extras.empty()) {
    text = about_extra(command, extras.front());
  }
  return fmt::format("{}: {}; see uotbench {} --help", name, text, name);
}

/// fmt::print would throw where stderr cannot be written.
int fail(const std::string& text, int code) {
  std::fputs(fmt::format("uotbench: {}\n", on_one_line(text)).c_str(), stderr);
  return code;
}

/// Started without stdin, stdout or stderr, as by some daemons, the run file would get one of their numbers
/// and whatever is printed. What is printed into a stdout that is not there is an error, as it is on a full
/// disk.
void hold_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0) std::ignore = ::open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

/// A closed pager is an error where it is written to; so is a file that reaches its size limit, as on a full
/// disk.
void ignore_signals_of_writing() {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

int unwritten(int error) {
  return fail(
      fmt::format("stdout cannot be written: {}; what was to be printed is lost", std::strerror(error)),
      exit_failed);
}

/// Nothing that was printed is lost without a word, but to a reader that leaves (head): it has seen what it
/// wanted.
int written(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  return errno == EPIPE ? code : unwritten(errno != 0 ? errno : EIO);
}

/// Of an exception that is none of ours.
int failed(const std::exception& error) {
  const auto* const system = dynamic_cast<const std::system_error*>(&error);
  if (!system || !std::ferror(stdout)) return fail(error.what(), exit_failed);
  ::__fpurge(stdout);  // what is left goes nowhere, either
  std::clearerr(stdout);
  return system->code() == std::errc::broken_pipe ? exit_unread : unwritten(system->code().value());
}

int run(CLI::App& program, const Action& chosen, const std::vector<std::string>& arguments) try {
  program.parse(
      std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them from the back
  return chosen();
} catch (const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    std::ostringstream text;  // a stream would forget why it could not be written
    const int code = program.exit(error, text, text);
    std::fputs(text.str().c_str(), stdout);
    return code;
  }
  return fail(complaint(program, arguments, error), exit_usage);
} catch (const UsageError& error) {
  return fail(error.what(), exit_usage);
} catch (const Json::Exception& error) {  // a run file edited by hand, a worker that answers nonsense
  return fail(fmt::format("a run file or an answer is not as it should be: {}", error.what()), exit_usage);
} catch (const BuildFailed& error) {
  return fail(error.what(), exit_not_built);
} catch (const NotComparable& error) {
  return fail(error.what(), exit_not_comparable);
} catch (const Interrupted&) {
  return exit_interrupted;
} catch (const std::exception& error) {
  return failed(error);
}

}  // namespace

int run_program(int argc, char** argv) {
  hold_standard_streams();
  ignore_signals_of_writing();
  CLI::App program{"Benchmarks optimal-transport kernels: proves each result, times it, keeps the record."};
  program.name("uotbench");
  program.set_help_flag("-h,--help", "print this");
  program.set_version_flag("--version", UOTBENCH_VERSION, "print the version");
  program.footer(
      "Examples:\n"
      "  uotbench --sweep quickstart.json\n"
      "  uotbench run uot/map_uot uot/one_read -a M,N=4096,4096 -a threads=1,2\n"
      "  uotbench show quickstart\n"
      "Each command has --help. NO_COLOR=1 turns colours off.");
  program.formatter(help_formatter());
  program.require_subcommand(1);
  Action chosen;
  add_run(program, chosen);
  add_show(program, chosen);
  add_explain(program, chosen);
  add_compare(program, chosen);
  add_gate(program, chosen);
  add_bisect(program, chosen);
  add_rerun(program, chosen);
  add_report(program, chosen);
  add_export(program, chosen);
  add_merge(program, chosen);
  add_import(program, chosen);
  add_roofline(program, chosen);
  add_figure(program, chosen);
  add_list(program, chosen);
  add_doctor(program, chosen);
  add_machine(program, chosen);
  add_baseline(program, chosen);
  add_history(program, chosen);
  add_check_worker(program, chosen);
  add_claims(program, chosen);
  add_pack(program, chosen);
  add_new(program, chosen);
  add_completion(program, chosen);
  add_man(program, chosen);
  return written(run(program, chosen, with_implied_command(argc, argv)));
}

}  // namespace uotbench
