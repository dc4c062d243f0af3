// What every command has: a function that declares it, the codes it exits with, and what it asks of a flag's
// value.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/view/view.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace uotbench {

// What the program ends with.

/// 3, 4, 5 and 7 are the gate's.
enum ExitCode : int {
  exit_ok = 0,
  exit_failed = 1,
  exit_usage = 2,
  exit_regressed = 3,
  exit_inconclusive = 4,
  exit_incomplete = 5,
  exit_not_comparable = 6,
  exit_not_built = 7,
  exit_interrupted = 130,
  exit_unread = 141  ///< as SIGPIPE would end it: who read its output left before the command had an end
};

// The program's commands: one file each.

/// Adds a command to the program and, through `chosen`, what to do when it is the one given: the action
/// returns the exit code. Actions throw UsageError and Error.
using Action = std::function<int()>;
void add_run(CLI::App& program, Action& chosen);
void add_list(CLI::App& program, Action& chosen);
void add_show(CLI::App& program, Action& chosen);
void add_explain(CLI::App& program, Action& chosen);
void add_compare(CLI::App& program, Action& chosen);
void add_gate(CLI::App& program, Action& chosen);
void add_bisect(CLI::App& program, Action& chosen);
void add_report(CLI::App& program, Action& chosen);
void add_export(CLI::App& program, Action& chosen);
void add_merge(CLI::App& program, Action& chosen);
void add_import(CLI::App& program, Action& chosen);
void add_rerun(CLI::App& program, Action& chosen);
void add_roofline(CLI::App& program, Action& chosen);
void add_figure(CLI::App& program, Action& chosen);
void add_pack(CLI::App& program, Action& chosen);
void add_doctor(CLI::App& program, Action& chosen);
void add_machine(CLI::App& program, Action& chosen);
void add_baseline(CLI::App& program, Action& chosen);
void add_history(CLI::App& program, Action& chosen);
void add_check_worker(CLI::App& program, Action& chosen);
void add_claims(CLI::App& program, Action& chosen);
void add_new(CLI::App& program, Action& chosen);
/// These two read the commands that were added before: they come last.
void add_completion(CLI::App& program, Action& chosen);
void add_man(CLI::App& program, Action& chosen);

/// main(): parses, dispatches, and is the only place that prints errors. Returns what the process is to exit
/// with.
int run_program(int argc, char** argv);

// What commands ask of a flag's value.

/// An unset variable of a job script must not mean "no limit".
extern const CLI::Validator not_empty;

/// A flag's quantity; the error names the flag. Throws UsageError.
double flag_value(const char* flag, double (*parse)(const std::string&), const std::string& text);

/// What a flag's VARIANT[@WORKER][,AXIS=VALUE] names, as a sweep's speedup_over; the error names the flag.
/// Throws UsageError.
Document over_value(const char* flag, const std::string& text);
/// Likewise of a stored run, which has cases of that variant and that worker; null where the flag is not
/// given.
Document over_value(const char* flag, const std::string& text, const Run& run);

/// Leaves the cases whose ids match --filter. Throws UsageError where none does.
void keep_matching(RunView& view, const std::string& filter);

/// --format must be one of these. Throws UsageError.
void require_format(const std::string& format, const std::vector<std::string>& known);
/// --mcpu, for CodeAnalyser. `of`: before its help, what of the command it concerns.
void add_mcpu_flag(CLI::App& command, std::string& mcpu, const std::string& of = "");

/// What writes --format. Throws UsageError where nothing does.
template <class Writer>
Writer writer_for(const std::string& format, const std::map<std::string, Writer>& writers) {
  std::vector<std::string> known;
  for (const auto& [name, writer] : writers) known.push_back(name);
  require_format(format, known);
  return writers.at(format);
}

}  // namespace uotbench
