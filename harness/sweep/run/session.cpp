#include "harness/sweep/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <numeric>
#include <span>

#include "harness/protocol/point_json.hpp"
#include "harness/sweep/workers/validation.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/timing.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

// An iteration takes more than a tenth of a clock cycle.
constexpr double shortest_iteration = 1e-11;
// Of the time that passed: by so much two clocks may run differently, and a sample's end be rounded up.
constexpr double slack = 0.01;

[[noreturn]] void refuse(const std::string& text) { throw WorkerFailure{Status::failed, text}; }
[[noreturn]] void refuse(const Violation& what) { throw WorkerFailure{Status::failed, what}; }

std::string seconds(double value) { return fmt::format("{:.3g} s", value); }

/// Samples are parts of the time between question and answer, which the worker cannot bend. A clock of CPU
/// time goes faster, the more CPUs there are.
void require_possible(const TimedAnswer& answer, const WorkerProcess& process) {
  const auto& samples = answer.samples.samples;
  const double sum = std::accumulate(samples.begin(), samples.end(), 0.) * static_cast<double>(answer.inner);
  const double clocks = answer.clock == "cpu" ? static_cast<double>(process.cpus().size()) : 1;
  if (sum > process.answered_after() * clocks * (1 + slack))
    refuse(fmt::format("reported {} of samples in {}: {} samples, each of {} x {}", seconds(sum),
                       seconds(process.answered_after()), samples.size(), answer.inner,
                       seconds(median(samples))));
  if (answer.per != Unit::solve) return;  // the protocol's schema knows the shortest sample
  const double least = std::ranges::min(samples) / static_cast<double>(*answer.iterations);
  if (least < shortest_iteration)
    refuse(fmt::format("reported solves of {} with {} iterations: {} per iteration",
                       seconds(std::ranges::min(samples)), *answer.iterations, seconds(least)));
}

/// Since the process was started. Throws where it is a moment before that, or still to come.
double seconds_until(double first_sample_at, const WorkerProcess& process) {
  const double now =
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  const double started = process.started_monotonic();
  if (!(first_sample_at >= started && first_sample_at <= now))
    refuse(found_instead(
        fmt::format("reported first_sample_at {}, but it was started at {:.3f} and answered at {:.3f}",
                    first_sample_at, started, now),
        "seconds of CLOCK_MONOTONIC"));
  return first_sample_at - started;
}

/// noise < samples < time: how far a case got before it had to stop.
std::string weaker(const std::string& a, const std::string& b) {
  for (const char* reason : {"time", "samples", "noise"})
    if (a == reason || b == reason) return reason;
  return b;
}

/// Between the first and the last samples of a process.
constexpr double doubtful_change = 3, impossible_change = 10;

/// The first and the last samples of a process: several at either end, so that no interrupt counts.
struct Ends {
  std::span<const double> first, last;

  explicit Ends(std::span<const double> samples) {
    const std::size_t count =
        std::min(samples.size(), std::max<std::size_t>(samples.size() < 4 ? 1 : 2, samples.size() / 5));
    first = samples.first(count);
    last = samples.last(count);
  }

  /// The least factor between samples of the two ends.
  double change() const {
    const auto [least_first, most_first] = std::ranges::minmax(first);
    const auto [least_last, most_last] = std::ranges::minmax(last);
    return std::max(least_first / most_last, least_last / most_first);
  }
  std::string text() const {
    return fmt::format("its samples change from {} to {} within a process", format_seconds(median(first)),
                       format_seconds(median(last)));
  }
};

/// A kernel that does less and less work, or whose values decay into denormals, has no steady iteration.
void doubt_changes(TimedAnswer& answer) {
  if (answer.samples.samples.size() < 2) return;
  const Ends ends(answer.samples.samples);
  if (ends.change() >= doubtful_change) answer.warnings.push_back(doubtful_times_warning(ends.text()));
}

/// Of a unit, for the parent's clock to be held against.
ReportedUnit reported(const RunRequest& request, const TimedAnswer& answer) {
  const auto& samples = answer.samples.samples;
  const bool costs_more = settings_of(request.point).cold ||
                          std::get<run_step::Time>(request.step).slowdown || answer.busy < least_busy;
  return {.median = median(samples), .least = costs_more ? 0 : std::ranges::min(samples)};
}

/// The message names the option: nothing else asks for a slowdown.
void require_slowdown(const run_step::Time& asked, const TimeReply& answer, const std::string& worker) {
  if (asked.slowdown && answer.slowdown != asked.slowdown)
    throw UsageError(fmt::format(
        "--inject-slowdown {:g}: worker {} does not slow down: its answer has \"slowdown\" {}; the protocol "
        "asks it to take measure.slowdown and to say so",
        *asked.slowdown, worker, answer.slowdown ? fmt::format("{}", *answer.slowdown) : "null"));
}

}  // namespace

TimeAsked asked_to_time(const RunRequest& request, const std::vector<int>& judged_after, int least_samples) {
  TimeAsked asked{.least_samples = least_samples};
  if (judged_after.size() < 2 || std::get<run_step::Time>(request.step).stop_after) return asked;
  constexpr const char* own = "iterations";
  asked.iterations = request.point.has(own) ? request.point.integer(own) : request.iterations;
  return asked;
}

TimedAnswer timed_answer(const TimeReply& time, const WorkerProcess& process, const TimeAsked& asked) {
  TimedAnswer answer;
  answer.samples.start = process.started();
  answer.samples.samples = time.samples;
  if (const auto count = answer.samples.samples.size(); count < static_cast<std::size_t>(asked.least_samples))
    refuse(expected_got(fmt::format("at least {} samples", asked.least_samples), std::to_string(count)));
  answer.inner = time.inner;
  answer.samples.busy = time.busy;
  answer.busy = answer.samples.busy.value_or(1);
  answer.per = time.per;
  answer.clock = time.clock;
  answer.stopped_by = time.stopped_by;
  answer.iterations = time.iterations;
  if (answer.per == Unit::solve && !answer.iterations)
    refuse("timed solves and does not say how many iterations one takes");
  // One that proves says with its result how many it made (prove.hpp).
  if (answer.per == Unit::solve && asked.iterations && answer.iterations != asked.iterations &&
      !process.tells_step(step::prove))
    refuse(found_instead(fmt::format("reported solves of {} iterations", *answer.iterations),
                         fmt::format("{}, as asked", *asked.iterations)));
  require_possible(answer, process);
  doubt_changes(answer);
  answer.samples.phases = time.phases;
  if (time.first_sample_at) answer.samples.first_sample = seconds_until(*time.first_sample_at, process);
  return answer;
}

std::string unsteady(const ProcessSamples& process) {
  constexpr std::size_t least_samples = 4;  // of fewer, one sample is an end
  if (process.samples.size() < least_samples || process.busy.value_or(1) < least_busy) return "";
  const Ends ends(process.samples);
  return ends.change() < impossible_change ? "" : ends.text() + ": it has no steady iteration";
}

std::string why_unsteady(const Timing& timing, const ProcessAgain& again) {
  std::string why;
  for (const auto& process : timing.processes) {
    why = unsteady(process);
    if (why.empty()) return "";
  }
  return timing.processes.size() == 1 && unsteady(again()).empty() ? "" : why;
}

TimedProcess timed_process(WorkerProcess& process, const RunRequest& request, const TimedAnswer& answer,
                           const Group& group, const Case& member) {
  return {.process = process,
          .request = request,
          .point = member.point,
          .tolerance = member.tolerance,
          .steps = member.steps,
          .judged_after = group.judged_after,
          .memoryless = group.memoryless,
          .per = answer.per,
          .iterations = answer.iterations,
          .asked_iterations = asked_to_time(request, group.judged_after, 1).iterations,
          .reported = reported(request, answer)};
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

void take_work(std::optional<Work>& mean, const std::optional<Work>& work, std::size_t processes) {
  if (!work || (mean && !work->counted)) return;
  if (processes < 2 || !mean || !mean->counted)
    mean = work;
  else  // in this form equal counts stay exactly what they are: a gate compares them so
    mean = *mean + (*work - *mean) * (1 / static_cast<double>(processes));
}

std::vector<int> cpus_for(const Case& member, const RunContext& context) {
  const Settings settings = settings_of(member.point);
  const auto count = static_cast<std::size_t>(settings.cpus());
  const auto& cpus = settings.place == "spread" ? context.spread_cpus : context.cpus;
  return {cpus.begin(), cpus.begin() + static_cast<std::ptrdiff_t>(std::min(count, cpus.size()))};
}

RunRequest Session::request(const RunStep& step) const {
  return {.id = member.id,
          .variant = member.variant,
          .point = point_from(member.point.json()),
          .in = files.in(),
          .out = files.out(),
          .step = step,
          .iterations = whole_steps(group.judged_after.front(), member.steps),
          .cpus = cpus_for(member, context)};
}

std::unique_ptr<WorkerProcess> Session::start() const {
  return std::make_unique<WorkerProcess>(worker.launched(settings_of(member.point)), context,
                                         cpus_for(member, context), on_text);
}

TimedOnce Session::time(WorkerProcess& process, const RunRequest& request) const {
  const auto& measure = std::get<run_step::Time>(request.step);
  TimedOnce once{.request = request, .reply = process.ask(request, timeout)};
  const TimeReply& time = *once.reply.time;
  require_slowdown(measure, time, member.worker);
  const int least_samples = worker.by_hand ? 1 : static_cast<int>(measure.min_samples);
  once.answer = timed_answer(time, process, asked_to_time(request, group.judged_after, least_samples));
  return once;
}

ProvedProcess Session::prove(WorkerProcess& process, const TimedOnce& once,
                             const std::vector<double>& verified,
                             const std::function<std::vector<double>()>& verify_again) const {
  TimedProcess timed = timed_process(process, once.request, once.answer, group, member);
  timed.verified = verified;
  timed.verify_again = verify_again;
  return uotbench::prove(timed, files, timeout);
}

std::vector<double> Session::verify_again() const {
  const auto process = start();
  return first_verified(*process, request(run_step::Verify{}), files, timeout);
}

JudgedReply Session::judge(const std::vector<std::string>& outputs, std::int64_t iterations) const {
  return files.judge({.variant = member.variant,
                      .point = member.point,
                      .outputs = outputs,
                      .iterations = iterations,
                      .tolerance = member.tolerance});
}

std::vector<std::string> require_agreement(Timing& timing, const TimedAgain& again) {
  const auto process_again = [&] { return again(false).answer.samples; };
  const auto outside_again = [&]() -> std::optional<double> {
    const auto once = again(true);
    return once.proof ? once.proof->proof.outside : std::nullopt;
  };
  if (const std::string why = why_unsteady(timing, process_again); !why.empty())
    throw WorkerFailure{Status::failed, why};
  return contradictions(timing, outside_again);
}

namespace fs = std::filesystem;

void save_arrays(const fs::path& folder, const Record& record, int iterations, const fs::path& arrays,
                 const std::vector<std::string>& outputs) {
  std::string name = record.id;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == ':'; }, '_');
  const fs::path place = folder / name;
  try {
    fs::create_directories(place);
    const auto copy = [&](const fs::path& file) {
      fs::copy_file(file, place / file.filename(), fs::copy_options::overwrite_existing);
    };
    for (const auto& entry : fs::directory_iterator(arrays / "in")) copy(entry.path());
    for (const auto& output : outputs) copy(arrays / "out" / (output + ".npy"));
    std::ofstream facts(place / "case.json");
    facts << Json{{"id", record.id}, {"point", record.point.json()}, {"iterations", iterations}}.dump(2)
          << '\n';
    if (!facts.flush()) throw Error(fmt::format("{}: cannot be written", (place / "case.json").string()));
  } catch (const fs::filesystem_error& error) {
    throw Error(fmt::format("{}: arrays cannot be saved: {}", place.string(), error.code().message()));
  }
}

}  // namespace uotbench
