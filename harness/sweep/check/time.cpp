// Whether what a worker says of time can be true. It alone holds the stopwatch, so its samples are held
// against what it cannot bend: the time that passed until it answered, and how much later it answers when
// more iterations have to be right.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "harness/sweep/check/check_worker.hpp"
#include "harness/sweep/run/session.hpp"
#include "harness/sweep/workers/prove.hpp"
#include "harness/sweep/workers/validation.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

constexpr double asked_seconds = 0.1;
constexpr int asked_samples = 5;
// Where so little of the time was samples, or they are so much longer than iterations, most was something
// else.
constexpr double hardly_any = 0.01, mostly_else = 20;

/// What a worker reports of its samples.
struct ReportedTime {
  TimedAnswer answer;
  double median, total;  ///< seconds

  const std::vector<double>& samples() const { return answer.samples.samples; }
};

ReportedTime reported_time(const RunReply& reply, const WorkerProcess& process, const TimeAsked& asked) {
  ReportedTime time{.answer = timed_answer(*reply.time, process, asked), .median = 0, .total = 0};
  const auto& samples = time.samples();
  if (samples.size() < asked_samples)
    throw Wrong{fmt::format("{} samples where min_samples is {}", samples.size(), asked_samples),
                "the requested number of samples, whatever the noise"};
  time.total = std::accumulate(samples.begin(), samples.end(), 0.) * static_cast<double>(time.answer.inner);
  time.median = median(samples);
  return time;
}

std::string counted(const ReportedTime& time) {
  return fmt::format("{} samples of {} x {}", time.samples().size(), time.answer.inner,
                     format_seconds(time.median));
}

/// Of the first iterations of a new process.
std::vector<double> verified_seconds(CheckSession& session, const Probe& probe, ProblemFiles& files) {
  const auto process = session.another_worker();
  const auto iterations = whole_steps(probe.group.judged_after.front(), probe.member.steps);
  return first_verified(*process, run_request(probe, files, run_step::Verify{}, iterations), files,
                        session.timeout());
}

/// As a run has it proved. Returns what a unit takes by this clock, where that is to be seen.
std::optional<double> proved(CheckSession& session, const Probe& probe, ProblemFiles& files,
                             const RunRequest& request, const ReportedTime& time,
                             std::vector<std::string>& doubts) {
  TimedProcess timed = timed_process(session.worker(), request, time.answer, probe.group, probe.member);
  timed.verify_again = [&] { return verified_seconds(session, probe, files); };
  timed.verified = timed.verify_again();
  const auto [proof, work, warnings] = prove(timed, files, session.timeout());
  doubts.insert(doubts.end(), warnings.begin(), warnings.end());
  if (proof.how.empty()) doubts.push_back("the timed run was not verified: " + proof.reason);
  require_inputs(files);
  return proof.outside;
}

/// By the work that the answer itself reports: other answers are of other problems.
void require_possible(const RunReply& reply, const Probe& probe, const ReportedTime& time) {
  Record record;
  record.point = probe.member.point;
  add_to(record.time, time.answer);
  record.work = reply.work;
  if (const auto why = why_impossible(record); !why.empty()) throw Wrong{why, "times that its work allows"};
}

}  // namespace

void check_time(CheckSession& session, const VariantInfo& variant, const Probe& probe) {
  const std::string what = "time " + variant.name;
  if (const auto steps = session.worker().hello().steps;
      steps && std::ranges::find(*steps, step::time) == steps->end())
    return session.note(
        what, fmt::format("not asked for: its hello says that it does {}", fmt::join(*steps, ", ")));
  std::vector<std::string> doubts;
  session.check(what, "seconds as they passed, of one iteration each, of iterations that are right", [&] {
    session.dismiss();  // as in a run: a fresh process, and this is the first that it is asked
    auto files = problem_files(session, probe);
    const RunRequest request =
        run_request(probe, files, run_step::Time{.seconds = asked_seconds, .min_samples = asked_samples},
                    whole_steps(probe.group.judged_after.front(), probe.member.steps));
    WorkerProcess& process = session.worker();
    const RunReply answer = session.ask(request);
    const TimeAsked asked = asked_to_time(request, probe.group.judged_after, 1);
    const ReportedTime time = reported_time(answer, process, asked);
    doubts = time.answer.warnings;
    if (const std::string why = unsteady(time.answer.samples); !why.empty()) {
      const auto process_again = session.another_worker();
      const RunReply again = process_again->ask(request, session.timeout());
      if (!unsteady(reported_time(again, *process_again, asked).answer.samples).empty())
        throw Wrong{why, "iterations that all take about the same time"};
    }
    const double wall = process.answered_after();
    require_inputs(files);
    require_possible(answer, probe, time);
    const auto outside = proved(session, probe, files, request, time, doubts);
    if (time.total < hardly_any * wall) {
      const std::string little = fmt::format("{} are {} of the {} until it answered", counted(time),
                                             format_seconds(time.total), format_seconds(wall));
      if (!outside) throw Wrong{little, "samples that make up most of the time that they took"};
      doubts.push_back(little + "; was the rest warming up?");
    }
    if (outside && time.median > mostly_else * *outside)
      doubts.push_back(
          fmt::format("{} an iteration, but solving takes only {} longer with each: a larger inner?",
                      format_seconds(time.median), format_seconds(*outside)));
    if (std::ranges::adjacent_find(time.samples(), std::not_equal_to<>()) == time.samples().end())
      doubts.push_back(
          fmt::format("all {} samples are the same {}", time.samples().size(), format_seconds(time.median)));
    return fmt::format("{} samples, {} an iteration; from outside {}", time.samples().size(),
                       format_seconds(time.median), outside ? format_seconds(*outside) : "not to be seen");
  });
  for (const auto& doubt : doubts) session.doubt(what, doubt);
}

}  // namespace uotbench
