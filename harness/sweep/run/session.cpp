#include "harness/sweep/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "harness/protocol/point_json.hpp"
#include "harness/sweep/workers/outside.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/axes/settings_json.hpp"

namespace uotbench {
namespace {

/// The message names the option: nothing else asks for a slowdown.
void require_slowdown(const run_step::Time& asked, const TimeReply& answer, const std::string& worker) {
  if (asked.slowdown && answer.slowdown != asked.slowdown)
    throw UsageError(fmt::format(
        "--inject-slowdown {:g}: worker {} does not slow down: its answer has \"slowdown\" {}; the protocol "
        "asks it to take measure.slowdown and to say so",
        *asked.slowdown, worker, answer.slowdown ? fmt::format("{}", *answer.slowdown) : "null"));
}

}  // namespace

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
