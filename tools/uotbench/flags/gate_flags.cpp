#include "tools/uotbench/flags/gate_flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <map>
#include <random>

#include "results/base/error.hpp"
#include "results/base/pattern.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "tools/uotbench/flags/command.hpp"

namespace uotbench {
namespace {

class Declaring {
 public:
  Declaring(CLI::App& command, std::string group) : command_(command), group_(std::move(group)) {}

  template <class Value>
  CLI::Option* option(const char* name, Value& value, const char* type, const std::string& about) {
    return command_.add_option(name, value, about)->type_name(type)->group(group_)->check(not_empty);
  }
  template <class Value>
  void repeatable(const char* name, Value& value, const char* type, const std::string& about) {
    option(name, value, type, about)->expected(1)->allow_extra_args(false)->take_all();
  }
  void flag(const char* name, bool& value, const std::string& about) {
    command_.add_flag(name, value, about)->group(group_);
  }

 private:
  CLI::App& command_;
  std::string group_;
};

void declare_arms(CLI::App& command, GateFlags& flags) {
  Declaring add(command, "What is compared");
  add.option("--baseline-worker", flags.baseline_worker, "CMD", "the baseline: a worker's command");
  add.option("--candidate-worker", flags.candidate_worker, "CMD", "the candidate: a worker's command");
  add.option(
      "--baseline-ref", flags.baseline_ref, "REV",
      "the baseline: a branch, tag or commit; what is built is the merge base of it and the candidate");
  add.flag("--exact-ref", flags.exact_ref, "build the commit that --baseline-ref names, not the merge base");
  add.option("--candidate-ref", flags.candidate_ref, "REV",
             "the candidate: a revision (default: the working tree)");
  add.option("--project", flags.project, "FILE",
             "how a revision is built (default: uotbench.project.json of this repository)");
  add.option("--baseline-run", flags.baseline_run, "RUN",
             "the baseline: a stored run; its counters decide, its times are advice only");
  add.flag("--self-check", flags.self_check,
           "this build against itself: false alarms, noise, smallest detectable slowdown");
}

void declare_cases(CLI::App& command, GateFlags& flags) {
  Declaring add(command, "On which cases");
  add.option("--sweep", flags.run.sweep, "FILE",
             "a sweep file, from here or from configs/ (default: gate.json)");
  add.repeatable("-a,--axis", flags.run.axes, "AXIS=VALUES", "values of an axis, as in uotbench run");
  add.repeatable("--case", flags.run.selection.cases, "ID", "only this case; needs no sweep and no variants");
  add.option("--filter", flags.run.selection.filter, "REGEX", "only cases whose id matches");
  add.option("--exclude", flags.run.selection.exclude, "REGEX", "leave out cases whose id matches");
  add.option("--allow-missing", flags.allow_missing, "REGEX", "cases that the candidate may lack");
}

void declare_measure(CLI::App& command, GateFlags& flags) {
  Declaring add(command, "How it is measured");
  add.option("--delta", flags.delta, "PERCENT", "tolerated slowdown (default: 3%)");
  add.repeatable("--delta-of", flags.delta_of, "CASES=PERCENT",
                 "another one for some cases: ids, variants, or patterns with *, such as uot/coffee=15%");
  add.option("--budget", flags.budget, "TIME",
             "measure no longer than this: fewer pairs, and what is undecided then is inconclusive");
  add.flag("--plan", flags.plan,
           "print the time and the smallest detectable slowdown of each case, and stop; "
           "revisions are built first, and kept");
  add.option("--pairs", flags.pairs, "N", "pairs of processes between two looks at a case (default: 24)");
  add.option("--inject-slowdown", flags.inject_slowdown, "RATIO",
             "slow the candidate down by this factor, such as 1.10, to prove that the gate finds it");
  add.option("--seed", flags.seed, "N", "seed of the order of the processes (default: a new one each time)");
  add.option("--counters", flags.run.counters, "LIST",
             "counters to compare (default: simulated ones that both builds have; none: none)");
  add.option("--case-timeout", flags.run.measure.case_timeout, "TIME",
             "kill a process after this long (default: 60s)");
  add.option("--cpu-affinity", flags.run.cpu_affinity, "LIST", "use these CPUs, in this order");
}

void declare_output(CLI::App& command, GateFlags& flags) {
  Declaring add(command, "What is kept and printed");
  add.flag("--strict", flags.strict, "an inconclusive case is exit code 4, too");
  add.flag("--json", flags.json, "print the report as JSON");
  add.option("--junit", flags.junit, "FILE", "write the report as JUnit XML");
  add.option("--markdown", flags.markdown, "FILE", "write it as Markdown, such as \"$GITHUB_STEP_SUMMARY\"");
  add.flag("--github", flags.github, "print annotations for GitHub Actions");
  add.option("--output", flags.run.output, "FILE",
             "the run file (default: results/runs/NAME.gate-UTC.jsonl)");
  add.option("--record", flags.record, "FILE", "with --self-check: write all values as a trace");
  add.flag("--force", flags.run.force, "overwrite the run file");
  add.flag("--quiet", flags.run.quiet, "print nothing but errors");
}

double ratio_of(const std::string& text) {
  double ratio = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), ratio);
  if (error != std::errc() || rest != text.data() + text.size() || !(ratio > 1 && ratio <= 100))
    throw UsageError(fmt::format("--inject-slowdown: \"{}\" is no ratio above 1, such as 1.10", text));
  return ratio;
}

std::uint64_t seed_of(const std::optional<std::string>& text) {
  if (!text) return std::random_device()();
  std::uint64_t seed = 0;
  const auto [rest, error] = std::from_chars(text->data(), text->data() + text->size(), seed);
  if (error != std::errc() || rest != text->data() + text->size())
    throw UsageError(fmt::format("--seed: \"{}\" is not an integer from 0", *text));
  return seed;
}

/// No output takes another's place.
void require_own_files(const GateFlags& flags) {
  const std::pair<const char*, std::string> files[]{{"--output", flags.run.output.value_or("")},
                                                    {"--junit", flags.junit},
                                                    {"--markdown", flags.markdown},
                                                    {"--record", flags.record}};
  std::map<std::filesystem::path, const char*> taken;
  for (const auto& [flag, file] : files) {
    if (file.empty() || std::filesystem::is_character_file(file)) continue;
    const auto [other, is_new] = taken.emplace(std::filesystem::absolute(file).lexically_normal(), flag);
    if (!is_new)
      throw UsageError(fmt::format("{} {}: that is the file of {}, too", flag, file, other->second));
    if (const auto folder = other->first.parent_path();
        std::string_view(flag) != "--output" && !std::filesystem::is_directory(folder))
      throw UsageError(fmt::format("{} {}: there is no folder {}", flag, file, folder.string()));
    if (std::filesystem::is_directory(file))
      throw UsageError(fmt::format("{}: expected a file's name, got the folder {}", flag, file));
  }
}

void require_arms(const GateFlags& flags) {
  const bool stored = !flags.baseline_run.empty();
  if (stored && (!flags.inject_slowdown.empty() || flags.plan || !flags.budget.empty() || flags.pairs))
    throw UsageError(
        "gate: --baseline-run measures nothing in pairs: --budget, --pairs, --plan and --inject-slowdown are "
        "for two builds");
  const bool commands = !flags.baseline_worker.empty() || (!flags.candidate_worker.empty() && !stored);
  const bool revisions =
      !flags.baseline_ref.empty() || !flags.candidate_ref.empty() || !flags.project.empty();
  if (commands + revisions + stored + flags.self_check > 1)
    throw UsageError(
        "gate: give --baseline-worker and --candidate-worker, or --baseline-ref, or --baseline-run, or "
        "--self-check: one of these");
  if (flags.exact_ref && flags.baseline_ref.empty())
    throw UsageError("gate: --exact-ref: expected --baseline-ref REV with it");
  if (flags.self_check || stored) return;
  if (commands && (flags.baseline_worker.empty() || flags.candidate_worker.empty()))
    throw UsageError(fmt::format("gate: {} is missing: both builds are given as commands",
                                 flags.baseline_worker.empty() ? "--baseline-worker" : "--candidate-worker"));
  if (!commands && flags.baseline_ref.empty())
    throw UsageError(
        "gate: what is the baseline? --baseline-ref REV, or --baseline-worker CMD with --candidate-worker "
        "CMD; "
        "for example: uotbench gate --baseline-ref origin/main");
}

constexpr const char* standard_delta = "5%";

}  // namespace

void declare(CLI::App& command, GateFlags& flags) {
  command.add_option("VARIANT", flags.run.variants, "variants to compare without a sweep file");
  declare_arms(command, flags);
  declare_cases(command, flags);
  declare_measure(command, flags);
  declare_output(command, flags);
  command.footer(
      "Examples:\n"
      "  uotbench gate --baseline-ref origin/main --sweep gate.json --budget 5m\n"
      "  uotbench gate --baseline-worker old/worker --candidate-worker new/worker uot/mine -a M,N=512,512\n"
      "  uotbench gate --self-check\n"
      "Exit codes: 0 nothing became slower, and a case is ok, improved or counted\n"
      "equal; 3 something did; 4 no case has a verdict, or the budget ended too soon\n"
      "(--strict: or a case is inconclusive); 5 a case failed, is missing, or nothing\n"
      "was compared; 6 not comparable; 7 a revision did not build; 130 stopped.\n"
      "If several apply, the code is the first of 3, 5, 6, 4.");
}

/// "uot/coffee=15%"
DeltaOf delta_of(const std::string& text) {
  const auto equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(
        fmt::format("--delta-of: expected cases and a percentage such as uot/coffee=15%, got \"{}\"", text));
  return {.what = text.substr(0, equals),
          .delta = flag_value("--delta-of", parse_percent, text.substr(equals + 1))};
}

GateOptions options_of(const GateFlags& flags) {
  require_arms(flags);
  GateOptions options;
  require_own_files(flags);
  if (!flags.delta.empty())
    options.rules = with_delta(options.rules, flag_value("--delta", parse_percent, flags.delta));
  for (const auto& text : flags.delta_of) options.rules.delta_of.push_back(delta_of(text));
  if (!flags.budget.empty()) options.budget = flag_value("--budget", parse_duration, flags.budget);
  if (!flags.inject_slowdown.empty()) options.slowdown = ratio_of(flags.inject_slowdown);
  if (flags.pairs) {
    if (*flags.pairs < 1 || *flags.pairs > 1000)
      throw UsageError(fmt::format("--pairs: expected an integer 1..1000, got {}", *flags.pairs));
    options.rules.look = static_cast<std::size_t>(*flags.pairs);
  }
  options.seed = seed_of(flags.seed);
  const Pattern checked(flags.allow_missing, "--allow-missing");
  if (!flags.record.empty() && !flags.self_check) throw UsageError("--record is for --self-check");
  return options;
}

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
