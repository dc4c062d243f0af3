// uotbench: the program. Parses, dispatches, and is the only place that prints errors and exits.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "results/error.hpp"
#include "tools/uotbench/command.hpp"

namespace {

/// `uotbench --sweep x.json` means `uotbench run --sweep x.json`.
std::vector<std::string> with_implied_command(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0].starts_with("--sweep")) arguments.insert(arguments.begin(), "run");
  return arguments;
}

/// CLI11's messages, some with a line break and a hint of their own, as one line.
std::string one_line(std::string text) {
  text = text.substr(0, text.find('\n'));
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace uotbench;
  // A worker that dies while it is written to, or a closed pager, is an error where it happens.
  ::signal(SIGPIPE, SIG_IGN);
  CLI::App program{"Benchmarks optimal-transport kernels: proves each result, times it, keeps the record."};
  program.name("uotbench");
  program.set_version_flag("--version", UOTBENCH_VERSION);
  program.footer(
      "Examples:\n"
      "  uotbench --sweep quickstart.json\n"
      "  uotbench run uot/map_uot uot/one_read -a M,N=4096,4096 -a threads=1,2\n"
      "  uotbench show quickstart\n"
      "Each command has --help.");
  program.require_subcommand(1);
  Action chosen;
  add_run(program, chosen);
  add_list(program, chosen);
  add_show(program, chosen);
  add_doctor(program, chosen);
  try {
    auto arguments = with_implied_command(argc, argv);
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    program.parse(arguments);
    return chosen();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);
    fmt::print(stderr, "uotbench: {} (uotbench --help lists what there is)\n", one_line(error.what()));
    return exit_usage;
  } catch (const UsageError& error) {
    fmt::print(stderr, "uotbench: {}\n", error.what());
    return exit_usage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "uotbench: {}\n", error.what());
    return exit_failed;
  }
}
