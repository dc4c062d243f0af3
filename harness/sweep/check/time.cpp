// Whether what a worker says of time can be true. It alone holds the stopwatch, so its samples are held
// against what it cannot bend: the time that passed until it answered, and how much later it answers when
// more iterations have to be right.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>

#include "harness/sweep/check/variant.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

constexpr double asked_seconds = 0.1;
constexpr int asked_samples = 5;
// A busy machine makes solving look slower than timing was, by this much only where several processes share a
// core and the solver's turn comes late. It does not come late each of so many times.
constexpr double too_fast = 5;
constexpr int attempts = 6;
// Where so little of the time was samples, or they are so much longer than iterations, most was something
// else.
constexpr double hardly_any = 0.01, mostly_else = 20;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds that a process's threads have stood in line for a CPU, of the one that waited longest (the second
/// number of /proc/PID/task/TID/schedstat, nanoseconds); 0 where the kernel does not tell.
double seconds_in_line(pid_t process) {
  double longest = 0;
  std::error_code none;
  for (const auto& thread : std::filesystem::directory_iterator(
           std::filesystem::path("/proc") / std::to_string(process) / "task", none)) {
    std::ifstream in(thread.path() / "schedstat");
    double running = 0, waiting = 0;
    if (in >> running >> waiting) longest = std::max(longest, waiting * 1e-9);
  }
  return longest;
}

/// Without the time in which others had its CPU: on a busy machine that is most of it, and the median of
/// short samples hardly sees it.
double seconds_to_answer(CheckSession& session, const Json& request) {
  const pid_t process = session.worker().pid();
  const double start = now(), in_line = seconds_in_line(process);
  session.ask(request, "record");
  return now() - start - (seconds_in_line(process) - in_line);
}

/// Seconds of one iteration, from outside: the answers to `verify` come later the more iterations are asked
/// for. Absent where they are too fast for that. The faster of two: a first may compile something.
std::optional<double> seen_from_outside(CheckSession& session, const VariantInfo& variant, const Probe& probe,
                                        const std::filesystem::path& folder) {
  constexpr double long_enough = 0.03;
  const std::int64_t few = 2 * probe.steps, most = (std::int64_t{1} << 22) * probe.steps;
  const auto answered = [&](std::int64_t iterations) {
    return seconds_to_answer(session, run_request(variant, probe, folder, "verify", iterations));
  };
  const double base = std::min(answered(few), answered(few));
  for (std::int64_t iterations = 16 * probe.steps; iterations <= most; iterations *= 4) {
    if (answered(iterations) - base < long_enough) continue;
    if (const double more = answered(iterations) - base; more >= long_enough)
      return more / static_cast<double>(iterations - few);
  }
  return std::nullopt;
}

struct Told {
  Unit per;
  std::int64_t inner;
  std::vector<double> samples;
  double median, total;  ///< seconds
};

Told told_by(const Json& time) {
  const std::string per = time.at("per");
  const auto unit = unit_from(per);
  if (!unit) throw Wrong{fmt::format("per is \"{}\"", per), "\"iteration\", \"solve\" or \"part\""};
  Told told{.per = *unit, .inner = 0, .samples = {}, .median = 0, .total = 0};
  const Json &inner = time.at("inner"), &samples = time.at("samples");
  const std::string stopped_by = time.at("stopped_by");
  if (const std::string clock = time.at("clock");
      clock != "steady" && clock != "cpu" && clock != "cuda-event")
    throw Wrong{fmt::format("clock is \"{}\"", clock), "\"steady\", \"cpu\" or \"cuda-event\""};
  if (stopped_by != "noise" && stopped_by != "time" && stopped_by != "samples")
    throw Wrong{fmt::format("stopped_by is \"{}\"", stopped_by), "\"noise\", \"time\" or \"samples\""};
  if (!inner.is_number_integer() || inner.get<std::int64_t>() < 1)
    throw Wrong{fmt::format("inner is {}", to_line(inner)), "an integer >= 1: iterations in a sample"};
  told.inner = inner;
  if (!samples.is_array()) throw Wrong{"samples is no list"};
  for (const auto& sample : samples) {
    if (!sample.is_number() || !std::isfinite(sample.get<double>()) || sample.get<double>() <= 0)
      throw Wrong{fmt::format("{} as a sample", to_line(sample)), "seconds above 0, in JSON numbers"};
    told.samples.push_back(sample);
  }
  if (told.samples.size() < asked_samples)
    throw Wrong{fmt::format("{} samples where min_samples is {}", told.samples.size(), asked_samples),
                "as many as asked for, whatever the noise"};
  told.total =
      std::accumulate(told.samples.begin(), told.samples.end(), 0.) * static_cast<double>(told.inner);
  auto sorted = told.samples;
  std::ranges::sort(sorted);
  told.median = sorted[sorted.size() / 2];
  return told;
}

/// `first_sample_at` stands for a moment between the process's start and its answer.
void require_sane_start(const Json& time, double started, double answered) {
  const Json at = time.value("first_sample_at", Json());
  if (at.is_null()) return;
  if (!at.is_number()) throw Wrong{fmt::format("first_sample_at is {}", to_line(at))};
  if (const double value = at; value < started || value > answered)
    throw Wrong{fmt::format("first_sample_at is {}, but it was started at {:.3f} and answered at {:.3f}",
                            to_line(at), started, answered),
                "seconds of CLOCK_MONOTONIC"};
}

std::string counted(const Told& told) {
  return fmt::format("{} samples of {} x {}", told.samples.size(), told.inner, format_seconds(told.median));
}

}  // namespace

void check_time(CheckSession& session, const VariantInfo& variant, const Probe& probe) {
  const std::string what = "time " + variant.name;
  if (const Json steps = session.worker().hello().value("steps", Json());
      steps.is_array() && std::ranges::find(steps, Json("time")) == steps.end())
    return session.note(what, "not asked for: its hello says that it does " + to_line(steps));
  std::vector<std::string> doubts;
  session.check(what, "seconds as they passed, of one iteration each", [&] {
    session.dismiss();  // as in a run: a fresh process, and this is the first that it is asked
    const auto folder = prepared_arrays(session, variant, probe);
    Json request = run_request(variant, probe, folder, "time", 2);
    request["measure"] = {{"max_noise", 0}, {"seconds", asked_seconds}, {"min_samples", asked_samples}};
    const WorkerProcess& process = session.worker();
    const double start = now();
    const Json record = session.ask(request, "record");
    const double answered = now(), wall = answered - start;
    const Json& time = record.at("time");
    const Told told = told_by(time);
    require_sane_start(time, process.started_monotonic(), answered);
    if (told.total > wall)
      throw Wrong{fmt::format("{} are {}, but it answered after {}", counted(told),
                              format_seconds(told.total), format_seconds(wall))};
    std::optional<double> outside;
    if (told.per == Unit::iteration) outside = seen_from_outside(session, variant, probe, folder);
    for (int again = 0; again < attempts && outside && told.median * too_fast < *outside; ++again)
      if (const auto seen = seen_from_outside(session, variant, probe, folder))
        outside = std::min(*outside, *seen);
    if (outside && told.median * too_fast < *outside)
      throw Wrong{fmt::format("{} an iteration, but solving takes {} longer with each",
                              format_seconds(told.median), format_seconds(*outside))};
    if (told.total < hardly_any * wall) {
      const std::string little = fmt::format("{} are {} of the {} until it answered", counted(told),
                                             format_seconds(told.total), format_seconds(wall));
      if (!outside) throw Wrong{little, "samples that make up most of the time that they took"};
      doubts.push_back(little + "; was the rest warming up?");
    }
    if (outside && told.median > mostly_else * *outside)
      doubts.push_back(
          fmt::format("{} an iteration, but solving takes only {} longer with each: a larger inner?",
                      format_seconds(told.median), format_seconds(*outside)));
    if (std::ranges::adjacent_find(told.samples, std::not_equal_to<>()) == told.samples.end())
      doubts.push_back(
          fmt::format("all {} samples are the same {}", told.samples.size(), format_seconds(told.median)));
    return fmt::format("{} samples, {} an iteration; from outside {}", told.samples.size(),
                       format_seconds(told.median), outside ? format_seconds(*outside) : "not to be seen");
  });
  for (const auto& doubt : doubts) session.doubt(what, doubt);
}

}  // namespace uotbench
