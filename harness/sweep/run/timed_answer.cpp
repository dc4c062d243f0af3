#include "harness/sweep/run/timed_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/record/timing_json.hpp"

namespace uotbench {
namespace {

// An iteration takes more than a tenth of a clock cycle, and less than a process may live.
constexpr double shortest_sample = 1e-11, longest_sample = 1e6;

/// noise < samples < time: how far a case got before it had to stop.
std::string weaker(const std::string& a, const std::string& b) {
  for (const char* reason : {"time", "samples", "noise"})
    if (a == reason || b == reason) return reason;
  return b;
}

}  // namespace

TimedAnswer timed_answer(const Json& time, const WorkerProcess& process) {
  const std::vector<double> samples = time.at("samples");
  if (samples.empty()) throw WorkerFailure{Status::failed, "timed nothing: no samples"};
  for (const double sample : samples)
    if (!(sample >= shortest_sample && sample <= longest_sample))
      throw WorkerFailure{Status::failed, fmt::format("gave {} s as a sample", sample)};
  const Json inner = time.at("inner");
  if (!inner.is_number_integer() || inner < 1)
    throw WorkerFailure{Status::failed, fmt::format("says inner is {}", to_line(inner))};
  const std::string per = time.at("per");
  const auto unit = unit_from(per);
  if (!unit)
    throw WorkerFailure{Status::failed,
                        fmt::format("timed per \"{}\"; iteration, solve or part would be right", per)};
  TimedAnswer answer{
      .samples = {.start = process.started(), .first_sample = {}, .arm = {}, .samples = samples},
      .inner = inner,
      .busy = time.value("busy", 1.0),
      .per = *unit,
      .clock = time.at("clock"),
      .stopped_by = time.at("stopped_by")};
  if (const Json took = time.value("iterations", Json()); !took.is_null()) {
    if (!took.is_number_integer() || took < 1)
      throw WorkerFailure{Status::failed, fmt::format("says a solve takes {} iterations", to_line(took))};
    answer.iterations = took;
  }
  if (answer.per == Unit::solve && !answer.iterations)
    throw WorkerFailure{Status::failed, "timed solves and does not say how many iterations one takes"};
  try {
    answer.samples.phases = phases_from(time.value("phases", Json::array()), samples);
  } catch (const Error& error) {
    throw WorkerFailure{Status::failed, error.what()};
  }
  if (time.contains("first_sample_at"))
    answer.samples.first_sample = time["first_sample_at"].get<double>() - process.started_monotonic();
  return answer;
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
