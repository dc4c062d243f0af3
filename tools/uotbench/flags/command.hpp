// What every command has: a function that declares it, and the codes it exits with.
#pragma once

#include <functional>

namespace CLI {
class App;
}

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

}  // namespace uotbench
