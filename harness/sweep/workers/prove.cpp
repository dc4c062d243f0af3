#include "harness/sweep/workers/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>

#include "harness/sweep/workers/validation.hpp"
#include "results/base/units.hpp"
#include "results/record/timing.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

/// A number of iterations that the problem may be judged after, and nobody knows before: from 2 to the
/// family's.
int drawn_iterations(const TimedProcess& timed) {
  static std::mt19937 random{std::random_device{}()};
  const int most = timed.judged_after.front();
  return whole_steps(most < 2 ? most : std::uniform_int_distribution(2, most)(random), timed.steps);
}

/// Whether outputs are verified as the last sample left them: solves, and what leaves nothing from one
/// iteration to the next.
bool as_it_is(const TimedProcess& timed) { return timed.per == Unit::solve || timed.memoryless; }

RunRequest asked(const TimedProcess& timed, std::int64_t iterations, const RunStep& step) {
  RunRequest request = timed.request;
  request.step = step;
  request.iterations = iterations;
  return request;
}

/// Its answer to a proof. Outputs are named where they were asked for.
RunReply proof_of(const TimedProcess& timed, std::int64_t iterations, run_step::Prove::From from,
                  double timeout) {
  return timed.process.ask(asked(timed, iterations, run_step::Prove{from}), timeout);
}

/// So many iterations from the inputs, with outputs. Returns the seconds of the first.
std::vector<double> from_inputs(const TimedProcess& timed, ProblemFiles& files, std::int64_t iterations,
                                double timeout) {
  files.make_outputs();
  const RunReply reply = proof_of(timed, iterations, run_step::Prove::From::inputs, timeout);
  return possible_seconds(reply.proved->seconds, timed.process.answered_after());
}

/// Solves of another number of iterations than the point asks for.
bool has_own_iterations(const TimedProcess& timed) {
  return timed.per == Unit::solve && timed.asked_iterations && timed.iterations != timed.asked_iterations;
}

WorkerFailure not_as_asked(const TimedProcess& timed) {
  return {Status::failed,
          found_instead(fmt::format("reported solves of {} iterations", timed.iterations.value_or(0)),
                        fmt::format("{}, as asked", *timed.asked_iterations))};
}

void require_equal_iterations(const TimedProcess& timed, const ProvedReply& proved) {
  if (timed.per != Unit::solve) return;
  const auto made = proved.iterations;
  if (!made && has_own_iterations(timed)) throw not_as_asked(timed);
  if (!made || made == timed.iterations) return;
  throw WorkerFailure{Status::failed,
                      fmt::format("reported solves of {} iterations, but its last solve made {}",
                                  timed.iterations.value_or(0), *made)};
}

Proof judged(const TimedProcess& timed, ProblemFiles& files, double timeout, std::optional<Work>& work,
             FirstIterations& first) {
  using From = run_step::Prove::From;
  std::int64_t iterations = as_it_is(timed) ? timed.judged_after.front() : drawn_iterations(timed);
  files.make_outputs();
  const RunReply reply = proof_of(timed, iterations, as_it_is(timed) ? From::last : From::inputs, timeout);
  if (reply.work) work = reply.work;
  const ProvedReply& answer = *reply.proved;
  first.add(possible_seconds(answer.seconds, timed.process.answered_after()));
  require_equal_iterations(timed, answer);
  // A solve of a given number of iterations made its own number of them.
  if (timed.per == Unit::solve && timed.judged_after.size() > 1)
    iterations = answer.iterations.value_or(iterations);
  const auto judged_after = [&](std::int64_t count) {
    return files.judge({.variant = timed.request.variant,
                        .point = timed.point,
                        .outputs = answer.outputs,
                        .iterations = count,
                        .tolerance = timed.tolerance});
  };
  // A solver has a number of its own where the result is that of any number: not where it is right after
  // those that were asked for, and wrong after fewer. (After many more it has converged, and is right, too.)
  if (has_own_iterations(timed) && judged_after(*timed.asked_iterations).reason.empty() &&
      !judged_after(timed.judged_after.back()).reason.empty())
    throw not_as_asked(timed);
  const JudgedReply result = judged_after(iterations);
  if (!result.reason.empty())
    throw WorkerFailure{Status::failed,
                        fmt::format("right when it was verified, wrong in the process that was "
                                    "timed: after {} iteration{}: {}",
                                    iterations, iterations == 1 ? "" : "s", result.reason)};
  return {
      .how = answer.how, .reason = {}, .iterations = iterations, .error = result.check->error, .outside = {}};
}

/// The median held against the parent's clock; absent where no question makes such a process do more units.
std::optional<SeenOutside> seen_outside(const TimedProcess& timed, bool proves, ProblemFiles& files,
                                        double timeout) {
  const auto steps = timed.per == Unit::iteration ? timed.steps : 1;
  const auto held = [&](const AskUnits& ask, std::int64_t zero) {
    return held_against(timed.reported, timed.process, ask, steps, zero);
  };
  // Outputs are wanted with every answer, so that work that was put off has to be done. One that only solves
  // loads its inputs and writes its outputs each time: that takes as long for few iterations as for many.
  if (timed.per == Unit::iteration && proves && !timed.memoryless)
    return held([&](std::int64_t units) { from_inputs(timed, files, units, timeout); }, 2 * steps);
  if (proves)
    return held([&](std::int64_t units) { proof_of(timed, units, run_step::Prove::From::nothing, timeout); },
                0);
  if (timed.per != Unit::iteration) return {};
  files.make_outputs();
  const auto solve = [&](std::int64_t iterations) {
    timed.process.ask(asked(timed, iterations, run_step::Verify{}), timeout);
  };
  return held(solve, 2 * steps);
}

/// Throws for what cannot be; returns a warning, or nothing.
std::string held_to_clock(const TimedProcess& timed, const SeenOutside& seen) {
  if (seen.plausible == Plausible::yes) return "";
  const bool longer = seen.plausible == Plausible::too_long;
  const std::string contradiction =
      fmt::format("reported {}/{}, but each additional {} adds {}{} of wall time",
                  format_seconds(longer ? timed.reported.least : timed.reported.median), name_of(timed.per),
                  name_of(timed.per),
                  seen.unit->below ? "less than "
                  : longer         ? "only "
                                   : "",
                  format_seconds(seen.unit->seconds));
  if (seen.plausible != Plausible::doubtful) throw WorkerFailure{Status::failed, contradiction};
  return doubtful_times_warning(contradiction);
}

/// Likewise, against the first iterations after the inputs; they are made again until they are no
/// contradiction.
std::string held_to_first_iterations(const TimedProcess& timed, ProblemFiles& files, double timeout,
                                     FirstIterations& first) {
  if (timed.per != Unit::iteration || timed.memoryless) return "";
  const auto iterations = whole_steps(std::max(timed.judged_after.front(), 2 * timed.steps), timed.steps);
  // Where another program has one of its CPUs, a short iteration of several threads waits for a whole slice
  // of time, now here, now there. So those that may have waited are asked often.
  constexpr int tries = 6, tries_of_short_ones = 60;
  constexpr double least_wait = 2e-5;  // seconds; no slice of time is that short
  constexpr std::chrono::seconds enough{1};
  const auto start = std::chrono::steady_clock::now();
  for (int again = 0; again < tries_of_short_ones && first.plausible(timed.reported.median) != Plausible::yes;
       ++again) {
    const bool waits = first.slowest().value_or(0) * timed.steps > least_wait;
    if (again >= tries && (!waits || std::chrono::steady_clock::now() - start > enough)) break;
    first.add(from_inputs(timed, files, iterations, timeout));
  }
  const Plausible found = first.plausible(timed.reported.median);
  if (found == Plausible::yes) return "";
  const std::string contradiction = fmt::format(
      "reported {}/iteration, but soon after the inputs an iteration takes {}: it does less work the "
      "longer it runs",
      format_seconds(timed.reported.median), format_seconds(*first.slowest()));
  if (found == Plausible::no) throw WorkerFailure{Status::failed, contradiction};
  return doubtful_times_warning(contradiction);
}

/// What a process keeps of earlier results, it cannot have when it first sees the inputs. Throws where
/// iterations are a fifth or less of what they are there. (Cold code and a CPU that was idle cost some
/// microseconds.)
void hold_to_new_processes(const TimedProcess& timed) {
  constexpr double cold_seconds = 2e-5;
  constexpr int processes = 3;
  if (timed.per != Unit::iteration || !timed.verify_again) return;
  std::vector<double> seconds = timed.verified;
  std::optional<double> least;
  for (int again = 0; again <= processes; ++again) {
    if (again > 0) seconds = timed.verify_again();
    FirstIterations first(timed.steps);
    first.add(seconds);
    const auto typical = first.typical();
    if (!typical) return;
    least = std::min(least.value_or(*typical), *typical);
    if (plausible(timed.reported, *least - cold_seconds) != Plausible::no) return;
  }
  throw WorkerFailure{
      Status::failed,
      fmt::format("reported {}/iteration, but in a new process an iteration takes {}: it keeps "
                  "results of earlier iterations",
                  format_seconds(timed.reported.median), format_seconds(*least))};
}

}  // namespace

ProvedProcess prove(const TimedProcess& timed, ProblemFiles& files, double timeout) {
  ProvedProcess proved;
  const auto warn = [&](std::string warning) {
    if (!warning.empty()) proved.warnings.push_back(std::move(warning));
  };
  const bool proves = timed.process.tells_step(step::prove);
  if (!proves) {
    proved.proof.reason = fmt::format("worker {} does not know the step prove", timed.process.name());
  } else if (timed.per == Unit::part) {
    proved.proof.reason = "what is timed is a part of an iteration, which has no result of its own";
  } else {
    FirstIterations first(timed.steps);
    proved.proof = judged(timed, files, timeout, proved.work, first);
    warn(held_to_first_iterations(timed, files, timeout, first));
    hold_to_new_processes(timed);
  }
  if (const auto seen = seen_outside(timed, proves, files, timeout)) {
    if (seen->unit) proved.proof.outside = seen->unit->seconds;
    warn(held_to_clock(timed, *seen));
  }
  return proved;
}

std::vector<double> first_verified(WorkerProcess& process, const RunRequest& request, ProblemFiles& files,
                                   double timeout) {
  files.make_outputs();
  const RunReply reply = process.ask(request, timeout);
  return possible_seconds(reply.seconds, process.answered_after());
}

std::vector<std::string> contradictions(Timing& timing, const OutsideAgain& again) {
  if (!timing.proof || !timing.proof->outside) return {};
  double& outside = *timing.proof->outside;
  const auto found_for = [&](const ProcessSamples& process) {
    if (process.samples.empty()) return Plausible::yes;
    return plausible({.median = median(process.samples)}, outside);
  };
  const auto doubted = [&](const ProcessSamples& process) { return found_for(process) != Plausible::yes; };
  constexpr int tries = 3;
  for (int i = 0; again && i < tries && std::ranges::any_of(timing.processes, doubted); ++i)
    outside = std::min(outside, again().value_or(outside));
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < timing.processes.size(); ++i) {
    const Plausible found = found_for(timing.processes[i]);
    if (found == Plausible::yes) continue;
    const std::string contradiction = fmt::format(
        "process {} reported {}/{}, but the process that was proved needs {}", i + 1,
        format_seconds(median(timing.processes[i].samples)), name_of(timing.per), format_seconds(outside));
    if (found == Plausible::no) throw WorkerFailure{Status::failed, contradiction};
    warnings.push_back(doubtful_times_warning(contradiction));
  }
  return warnings;
}

}  // namespace uotbench
