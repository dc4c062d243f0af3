#include "harness/sweep/run/timed_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "results/base/error.hpp"
#include "results/base/json_parts.hpp"
#include "results/record/timing_json.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

// An iteration takes more than a tenth of a clock cycle.
constexpr double shortest_iteration = 1e-11;
// Of the time that passed: by so much two clocks may run differently, and a sample's end be rounded up.
constexpr double slack = 0.01;

[[noreturn]] void refuse(const std::string& text) { throw WorkerFailure{Status::failed, text}; }

std::string seconds(double value) { return fmt::format("{:.3g} s", value); }

/// Samples are parts of the time between question and answer, which the worker cannot bend. A clock of CPU
/// time goes faster, the more CPUs there are.
void require_possible(const TimedAnswer& answer, const WorkerProcess& process) {
  const auto& samples = answer.samples.samples;
  const double told = std::accumulate(samples.begin(), samples.end(), 0.) * static_cast<double>(answer.inner);
  const double clocks = answer.clock == "cpu" ? static_cast<double>(process.cpus().size()) : 1;
  if (told > process.answered_after() * clocks * (1 + slack))
    refuse(fmt::format("told {} of samples in {}: {} samples, each of {} x {}", seconds(told),
                       seconds(process.answered_after()), samples.size(), answer.inner,
                       seconds(median(samples))));
  if (answer.per != Unit::solve) return;  // the protocol's schema knows the shortest sample
  const double least = std::ranges::min(samples) / static_cast<double>(*answer.iterations);
  if (least < shortest_iteration)
    refuse(fmt::format("told solves of {} that take {} iterations: {} an iteration",
                       seconds(std::ranges::min(samples)), *answer.iterations, seconds(least)));
}

/// Since the process was started. Throws where it is a moment before that, or still to come.
double seconds_until(double first_sample_at, const WorkerProcess& process) {
  const double now =
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  const double started = process.started_monotonic();
  if (!(first_sample_at >= started && first_sample_at <= now))
    refuse(
        fmt::format("says first_sample_at {}, but it was started at {:.3f} and answered at {:.3f}; accepted: "
                    "seconds of CLOCK_MONOTONIC",
                    first_sample_at, started, now));
  return first_sample_at - started;
}

/// noise < samples < time: how far a case got before it had to stop.
std::string weaker(const std::string& a, const std::string& b) {
  for (const char* reason : {"time", "samples", "noise"})
    if (a == reason || b == reason) return reason;
  return b;
}

}  // namespace

TimedAnswer timed_answer(const Json& time, const WorkerProcess& process, int least_samples) {
  // One member after the other: what fails here fails between whole objects.
  TimedAnswer answer;
  answer.samples.start = process.started();
  answer.samples.samples = time.at("samples").get<std::vector<double>>();
  if (const auto count = answer.samples.samples.size(); count < static_cast<std::size_t>(least_samples))
    refuse(fmt::format("told {} sample{}; at least {} were asked for", count, count == 1 ? "" : "s",
                       least_samples));
  answer.inner = time.at("inner");
  answer.samples.busy = optional_from<double>(time, "busy");
  answer.busy = answer.samples.busy.value_or(1);
  answer.per = *unit_from(time.at("per").get<std::string>());
  answer.clock = time.at("clock");
  answer.stopped_by = time.at("stopped_by");
  answer.iterations = optional_from<std::int64_t>(time, "iterations");
  if (answer.per == Unit::solve && !answer.iterations)
    refuse("timed solves and does not say how many iterations one takes");
  require_possible(answer, process);
  try {
    answer.samples.phases = phases_from(value_in(time, "phases"), answer.samples.samples);
  } catch (const Error& error) {
    refuse(error.what());
  }
  if (const auto at = optional_from<double>(time, "first_sample_at"))
    answer.samples.first_sample = seconds_until(*at, process);
  return answer;
}

TimedProcess timed_process(WorkerProcess& process, const Json& request, const TimedAnswer& answer,
                           const Group& group, const Case& member) {
  return {.process = process,
          .request = request,
          .variant = member.variant,
          .tolerance = member.tolerance,
          .steps = member.steps,
          .judged_after = group.judged_after,
          .memoryless = group.memoryless,
          .per = answer.per,
          .median = median(answer.samples.samples)};
}

void add_to(std::optional<Timing>& timing, const TimedAnswer& answer) {
  if (!timing)
    timing = Timing{.per = answer.per,
                    .clock = answer.clock,
                    .stopped_by = "noise",
                    .inner = 1,
                    .iterations = {},
                    .processes = {},
                    .warnings = {}};
  if (timing->per != answer.per || timing->clock != answer.clock)
    throw WorkerFailure{Status::failed,
                        fmt::format("timed per {} by the clock {}, and before per {} by {}",
                                    name_of(answer.per), answer.clock, name_of(timing->per), timing->clock)};
  timing->inner = std::max(timing->inner, answer.inner);
  if (answer.iterations) timing->iterations = std::max(timing->iterations.value_or(0), *answer.iterations);
  timing->stopped_by = weaker(timing->stopped_by, answer.stopped_by);
  timing->processes.push_back(answer.samples);
}

}  // namespace uotbench
