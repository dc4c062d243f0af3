// What a run and a gate do with a process of a case: start it, ask it for times, hold these against the
// clock, prove it. The order of the processes is a schedule: rounds (harness/sweep/run/runner.hpp), pairs of
// builds (harness/sweep/gate/ab_session.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/problem_files.hpp"
#include "harness/sweep/workers/prove.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/record/record.hpp"
#include "results/record/work.hpp"

namespace uotbench {

// What a worker's answer to `time` says of one process: read, and found possible.

struct TimedAnswer {
  ProcessSamples samples;                  ///< without an arm
  std::int64_t inner = 1;                  ///< iterations a sample
  double busy = 1;                         ///< CPU time over wall time
  std::vector<std::string> warnings = {};  ///< what makes its samples doubtful
  Unit per = Unit::iteration;
  std::string clock, stopped_by;
  std::optional<std::int64_t> iterations = {};  ///< of a solve
};

/// What a process was asked to time.
struct TimeAsked {
  int least_samples = 1;
  std::optional<std::int64_t> iterations = {};  ///< of a solve, where the point counts them
};

/// Of a request to time a problem that is verified after `judged_after` iterations. A solve's iterations are
/// the variant's own axis `iterations` where it has one, else the request's.
TimeAsked asked_to_time(const RunRequest& request, const std::vector<int>& judged_after, int least_samples);

/// Of the times in the process's last answer. Throws WorkerFailure for times that cannot be: longer in all
/// than the process had, shorter than any iteration.
TimedAnswer timed_answer(const TimeReply& time, const WorkerProcess& process, const TimeAsked& asked = {});

/// How the samples of a process that had its CPU change by a factor of ten or more from its first to its
/// last; empty: they do not. A busy machine may do that to one process; a kernel without a steady iteration
/// does it in each.
std::string unsteady(const ProcessSamples& process);

/// A process more of a case, timed.
using ProcessAgain = std::function<ProcessSamples()>;

/// Why a case has no steady iteration: every one of its processes is unsteady, and where there is only one,
/// so is a process more. Empty: one is steady.
std::string why_unsteady(const Timing& timing, const ProcessAgain& again);

/// The process that gave the answer to `request`, for prove().
TimedProcess timed_process(WorkerProcess& process, const RunRequest& request, const TimedAnswer& answer,
                           const Group& group, const Case& member);

/// One process more of a case. Throws WorkerFailure where its unit or its clock is not that of the others.
void add_to(std::optional<Timing>& timing, const TimedAnswer& answer);

// The work of processes that were timed, where they count it themselves.

/// One process more, of so many by now: where runs count their work, all of them together, and their mean.
/// What a model says stays as it was told first.
void take_work(std::optional<Work>& mean, const std::optional<Work>& work, std::size_t processes);

/// The CPUs of a case's threads, in their order. Fewer where there are fewer.
std::vector<int> cpus_for(const Case& member, const RunContext& context);

/// A process that was asked for times, and proved if wanted.
struct TimedOnce {
  RunRequest request;  ///< the one that it answered
  RunReply reply = {};
  TimedAnswer answer = {};
  std::set<int> stray = {};  ///< CPUs that it was not given and may run on, where that was looked at
  std::optional<ProvedProcess> proof = {};
};

/// A case, the build that runs it and the files of its problem. All are referred to.
struct Session {
  const Group& group;
  const Case& member;
  const Manifest& worker;  ///< not yet launched()
  const RunContext& context;
  ProblemFiles& files;
  double timeout;  ///< seconds until an answer
  OnText on_text;  ///< takes what a process prints

  /// For a step of this case: iterations as its result is verified after.
  RunRequest request(const RunStep& step) const;
  /// A new process with the CPUs of the case. Throws WorkerFailure, Interrupted, as all that follow.
  std::unique_ptr<WorkerProcess> start() const;
  /// Asks for times and holds them against the clock. `request` is of the step time. Throws UsageError where
  /// a slowdown was asked for and the worker does not know it.
  TimedOnce time(WorkerProcess& process, const RunRequest& request) const;
  /// Whether a timed process can be proved: an oracle knows the family, and the worker was not started by
  /// hand, which is looked at while it is timed.
  bool provable() const { return group.oracle && !worker.by_hand; }
  /// The process that was timed last. `verified` and `verify_again` as in TimedProcess.
  ProvedProcess prove(WorkerProcess& process, const TimedOnce& once, const std::vector<double>& verified,
                      const std::function<std::vector<double>()>& verify_again) const;
  /// Verifies in a new process, which has no results to keep. Returns the seconds of its first iterations.
  std::vector<double> verify_again() const;
  /// The verdict of the oracle on outputs after this number of iterations.
  JudgedReply judge(const std::vector<std::string>& outputs, std::int64_t iterations) const;
};

/// One process more of a case, proved or not.
using TimedAgain = std::function<TimedOnce(bool proved)>;

/// Holds all processes of a case against each other. Where one process alone would fail the case, more are
/// asked: a busy machine may have disturbed it. Throws WorkerFailure for what cannot be, and what `again`
/// throws; returns warnings.
std::vector<std::string> require_agreement(Timing& timing, const TimedAgain& again);

// --save-arrays: a case's arrays, to be looked at with other software.

/// Makes `folder`/ID (with '/' and ':' as '_') and copies into it the inputs, the named outputs, and
/// case.json: {"id", "point", "iterations"}. `arrays` holds in/ and out/. Throws Error (no room, say).
void save_arrays(const std::filesystem::path& folder, const Record& record, int iterations,
                 const std::filesystem::path& arrays, const std::vector<std::string>& outputs);

}  // namespace uotbench
