// What a worker's answer to `time` says of one process: read, and found possible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/prove.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/record/record.hpp"
#include "results/record/work.hpp"

namespace uotbench {

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

}  // namespace uotbench
