#include "tools/uotbench/flags/bisect_flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "tools/uotbench/flags/flag_values.hpp"

namespace uotbench {
namespace {

constexpr const char* standard_delta = "5%";

}  // namespace

void declare(CLI::App& command, BisectFlags& flags) {
  std::string group = "What is compared";
  const auto option = [&](const char* name, auto& value, const char* type, const std::string& about) {
    return command.add_option(name, value, about)->type_name(type)->group(group)->check(not_empty);
  };
  const auto repeatable = [&](const char* name, auto& value, const char* type, const std::string& about) {
    option(name, value, type, about)->expected(1)->allow_extra_args(false)->take_all();
  };
  command.add_option("GOOD", flags.good, "a revision that was fast")->required();
  command.add_option("BAD", flags.bad, "a later revision that is slow")->required();
  option("--case", flags.case_id, "ID", "the case that became slower")->required();
  repeatable("--good", flags.known_good, "REV", "a revision between them that is known to be fast, too");
  repeatable("--skip", flags.skip, "REV", "a revision not to try");
  option("--project", flags.gate.project, "FILE",
         "how a revision is built (default: uotbench.project.json of this repository)");
  group = "How it is measured";
  option("--delta", flags.gate.delta, "PERCENT",
         fmt::format("tolerated slowdown (default: {}; with --counters: none)", standard_delta));
  command
      .add_flag("--counters", flags.counters_alone,
                "measure no time: exact counters alone decide, however noisy the machine")
      ->group(group);
  option("--pairs", flags.gate.pairs, "N",
         "pairs of processes between two looks (default: 24, then what the slowdown takes)");
  option("--seed", flags.gate.seed, "N", "seed of the order of the processes (default: a new one each time)");
  option("--case-timeout", flags.gate.run.measure.case_timeout, "TIME",
         "kill a process after this long (default: 60s)");
  option("--cpu-affinity", flags.gate.run.cpu_affinity, "LIST", "use these CPUs, in this order");
  group = "What is printed";
  command.add_flag("--json", flags.gate.json, "print the report as JSON")->group(group);
  command.add_flag("--quiet", flags.gate.run.quiet, "print no progress")->group(group);
  command.footer(
      "Examples:\n"
      "  uotbench bisect v1.2 main --case uot/map_uot/M:512/N:512@native-v3\n"
      "  uotbench bisect HEAD~32 HEAD --case uot/mine/M:64/N:64@mine --counters\n"
      "  uotbench bisect v1.2 main --case uot/map_uot/M:512/N:512@native-v3 --delta 2% --skip v1.3\n"
      "Exit codes: those of the gate of GOOD against BAD. 0 BAD is not slower; 3 it\n"
      "is, and the commit is named; 4 undecided; 5 the case failed or is missing;\n"
      "7 GOOD or BAD does not build; 130 stopped, with the line that goes on.");
}

GateOptions options_of(const BisectFlags& flags) {
  GateFlags gate = flags.gate;
  gate.baseline_ref = flags.good;
  if (gate.delta.empty()) gate.delta = flags.counters_alone ? "0%" : standard_delta;
  GateOptions options = options_of(gate);
  if (!flags.gate.delta.empty() && !(options.rules.delta > 0))
    throw UsageError(fmt::format("--delta: expected more than 0%, got {}", gate.delta));
  options.warns_without_counters = false;  // a step compares what decides, and says where it was not counted
  return options;
}

std::string line_going_on(const BisectFlags& flags, const std::string& bad,
                          const std::vector<std::string>& known_good, const std::vector<std::string>& skip) {
  std::string line = "uotbench bisect";
  const auto add = [&](const std::string& flag, const std::string& value) {
    if (!value.empty()) line += fmt::format(" {} {}", flag, shell_quoted(value));
  };
  line += " " + shell_quoted(flags.good) + " " + shell_quoted(bad);
  add("--case", flags.case_id);
  for (const auto& revision : known_good) add("--good", revision);
  for (const auto& revision : skip) add("--skip", revision);
  add("--project", flags.gate.project);
  add("--delta", flags.gate.delta);
  if (flags.counters_alone) line += " --counters";
  if (flags.gate.pairs) add("--pairs", std::to_string(*flags.gate.pairs));
  add("--case-timeout", flags.gate.run.measure.case_timeout);
  add("--cpu-affinity", flags.gate.run.cpu_affinity);
  if (flags.gate.json) line += " --json";
  if (flags.gate.run.quiet) line += " --quiet";
  return line;
}

}  // namespace uotbench
