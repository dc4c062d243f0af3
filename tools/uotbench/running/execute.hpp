// A plan becomes a run file: what `run` and `rerun` have in common; and being asked to stop.
#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/base/document.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/view/view.hpp"
#include "tools/uotbench/flags/run_flags.hpp"

namespace uotbench {

// Being asked to stop: at once, or when what is under way is done.

/// Set once somebody wants the program to end now.
extern volatile sig_atomic_t stop_now;
/// Set once somebody wants it to end when the group under way is finished.
extern volatile sig_atomic_t stop_soon;

/// SIGINT, SIGTERM, SIGUSR1 and SIGHUP, unless they are ignored: now.
void stop_on_signals();
/// From here on SIGTERM and SIGUSR1, which batch systems send some time before they kill, mean soon; and now
/// when they come a second time.
void finish_what_is_under_way();

// A plan and its run.

struct Execution {
  Sweep sweep;
  Plan plan;
  bool verify_only = false;
  std::string save_arrays = {};            ///< a folder; empty: do not
  std::string repeat_flags = {};           ///< what a command that repeats a case needs besides --case
  std::optional<double> stop_after = {};   ///< seconds since `started`
  std::optional<std::string> output = {};  ///< the run file; default: results/runs/NAME-UTC.jsonl
  bool force = false, resume = false, quiet = false;
  bool resumable = true;      ///< the command takes --resume
  bool prove = true;          ///< what was timed is judged in its process
  bool with_ceilings = true;  ///< those stored for this machine go into the first line
  /// What its cases need besides is measured between them; a cache that is simulated, before them.
  bool missing_ceilings = false;
  Document probed_caches = {};  ///< for the machine facts in the first line; null: those with the ceilings
  Document origin = {};         ///< of a repetition: what it repeats, for the first line
  std::string command = {};     ///< what --resume goes on by, but for the file; empty: nothing does
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();

  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  }
};

struct Executed {
  Run run;                   ///< the whole file, earlier records included
  std::size_t ran = 0;       ///< cases that got a final record now
  bool interrupted = false;  ///< by a signal or --stop-after; --resume goes on
};

/// --case without a sweep or variants: the ids say everything; the selection then has them no more. Throws
/// UsageError where the pool has none of a name.
void add_named_cases(Sweep& sweep, Selection& selection, WorkerPool& pool);

/// Runs what is left of the plan into the run file. Throws UsageError before anything is run, Error where
/// records cannot be written.
Executed execute(const Execution& what, WorkerPool& pool);

/// What `uotbench run` prints below its table, `view`, and ends with.
std::string closing_words(const Execution& what, const Executed& done, const RunView& view);
int exit_code_of(const Executed& done);

/// What a run on these CPUs may use: the memory there is, until signals stop it.
RunContext context_on(std::vector<int> cpus, double timeout);
/// Likewise as the flags say: on their CPUs, memory and GPU. Throws UsageError.
RunContext context_of(const RunFlags& flags, const Sweep& sweep);

/// The workers' processes for this program: manifests from configs/workers, then `given` (NAME=CMD).
WorkerPool make_pool(const std::vector<std::string>& given, const RunContext& context);

/// From now on workers are told to use this GPU, by UOTBENCH_DEVICE. Throws UsageError where it is negative.
void use_device(int device, RunContext& context);

}  // namespace uotbench
