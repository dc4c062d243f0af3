#include "harness/sweep/workers/prove.hpp"

#include <fmt/format.h>

#include <optional>
#include <random>

#include "harness/sweep/workers/outside.hpp"
#include "harness/sweep/workers/steps.hpp"
#include "results/base/units.hpp"
#include "results/record/work_json.hpp"

namespace uotbench {
namespace {

/// A number of iterations that the problem may be judged after, and nobody knows before: from 2 to the
/// family's.
int drawn_iterations(const TimedProcess& timed) {
  static std::mt19937 random{std::random_device{}()};
  const int most = timed.judged_after.front();
  return whole_steps(most < 2 ? most : std::uniform_int_distribution(2, most)(random), timed.steps);
}

Json asked(const TimedProcess& timed, std::int64_t iterations, const char* from) {
  Json request = timed.request;
  request.erase("measure");
  request["steps"] = {step::prove};
  request["iterations"] = iterations;
  if (from) request["from"] = from;
  return request;
}

Proof judged(const TimedProcess& timed, ProblemFiles& files, double timeout, std::optional<Work>& work) {
  // Solves, and what leaves nothing from one iteration to the next, are judged as they lie.
  const bool as_it_lies = timed.per == Unit::solve || timed.memoryless;
  int iterations = as_it_lies ? timed.judged_after.front() : drawn_iterations(timed);
  files.make_outputs();
  const Json record =
      timed.process.ask(asked(timed, iterations, as_it_lies ? "last" : "inputs"), "record", timeout);
  if (const auto told = record.find("work"); told != record.end() && !told->is_null())
    work = work_from(*told);
  const Json& answer = record.at("proved");
  // A solve of a given number of iterations made its own number of them.
  if (timed.per == Unit::solve && timed.judged_after.size() > 1)
    iterations = answer.value("iterations", iterations);
  const JudgedResult result = files.judge({.variant = timed.variant,
                                           .point = timed.request.at("point"),
                                           .outputs = answer.value("outputs", Json::array()),
                                           .iterations = iterations,
                                           .tolerance = timed.tolerance});
  if (!result.reason.empty())
    throw WorkerFailure{Status::failed, fmt::format("right when it was judged, wrong in the process that was "
                                                    "timed: after {} iteration{}: {}",
                                                    iterations, iterations == 1 ? "" : "s", result.reason)};
  return {.how = answer.at("how"),
          .reason = {},
          .iterations = iterations,
          .error = result.check->error,
          .outside = {}};
}

/// The median held against the parent's clock; absent where no question makes such a process do more units.
std::optional<SeenOutside> seen_outside(const TimedProcess& timed, bool proves, ProblemFiles& files,
                                        double timeout) {
  const auto steps = timed.per == Unit::iteration ? timed.steps : 1;
  if (proves)
    return held_against(
        timed.median, timed.process,
        [&](std::int64_t units) { timed.process.ask(asked(timed, units, nullptr), "record", timeout); },
        steps, 0);
  if (timed.per != Unit::iteration) return {};
  // One that only solves loads its inputs and writes its outputs each time: as long for few as for many.
  files.make_outputs();
  const auto solve = [&](std::int64_t iterations) {
    Json request = asked(timed, iterations, nullptr);
    request["steps"] = {step::verify};
    timed.process.ask(request, "record", timeout);
  };
  return held_against(timed.median, timed.process, solve, steps, 2 * steps);
}

}  // namespace

ProvedProcess prove(const TimedProcess& timed, ProblemFiles& files, double timeout) {
  ProvedProcess proved;
  const bool proves = timed.process.tells_step(step::prove);
  if (!proves)
    proved.proof.reason = fmt::format("worker {} does not know the step prove", timed.process.name());
  else if (timed.per == Unit::part)
    proved.proof.reason = "what is timed is a part of an iteration, which has no result of its own";
  else
    proved.proof = judged(timed, files, timeout, proved.work);
  const auto seen = seen_outside(timed, proves, files, timeout);
  if (!seen) return proved;
  proved.proof.outside = seen->seconds;
  if (seen->plausible == Plausible::yes) return proved;
  const std::string contradiction =
      fmt::format("it told {} for {} {}, but answers {} later with each more that is asked for",
                  format_seconds(timed.median), timed.per == Unit::iteration ? "an" : "a", name_of(timed.per),
                  format_seconds(*seen->seconds));
  if (seen->plausible == Plausible::no) throw WorkerFailure{Status::failed, contradiction};
  proved.warnings.push_back("its times are doubtful: " + contradiction);
  return proved;
}

}  // namespace uotbench
