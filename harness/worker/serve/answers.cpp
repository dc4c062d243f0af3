#include "harness/worker/serve/answers.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "harness/protocol/axis_json.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/protocol/settings.hpp"
#include "harness/worker/base/usage.hpp"
#include "harness/worker/counters/count.hpp"
#include "harness/worker/phases.hpp"
#include "harness/worker/serve/build_json.hpp"
#include "harness/worker/serve/code.hpp"
#include "harness/worker/timing/steps.hpp"
#include "harness/worker/timing/timed_case.hpp"
#include "harness/worker/variant.hpp"
#include "results/base/error.hpp"
#include "results/base/value_json.hpp"
#include "results/record/clock.hpp"
#include "results/record/timing_json.hpp"
#include "results/record/work_json.hpp"

namespace uotbench {
namespace {

/// What the build noted beside this program.
std::string noted(const char* what) {
  return fmt::format("{}.{}.json", std::filesystem::read_symlink("/proc/self/exe").string(), what);
}

/// Of the kernels of each source: {SOURCE: [{"kernel", "registers", …}, …]}; none where nothing was noted.
Json kernels_by_source() {
  Json by_source = Json::object();
  std::ifstream file(noted("kernels"));
  if (!file) return by_source;
  for (Json kernel : Json::parse(file)) {
    const std::string source = kernel.at("source");
    kernel.erase("source");
    by_source[source].push_back(std::move(kernel));
  }
  return by_source;
}

Json described(const Json&, Channel&) {
  const Json kernels = kernels_by_source();
  std::vector<std::string> names;
  for (const Variant* variant : variants()) names.push_back(variant->spec().name);
  const auto code = code_of_variants(noted("code"), names);
  Json list = Json::array();
  for (const Variant* variant : variants()) {
    const auto& spec = variant->spec();
    const std::string file = spec.name.substr(spec.name.rfind('/') + 1);
    Json axes = Json::array();
    for (const auto& axis : spec.axes) axes.push_back(to_json(axis));
    list.push_back({{"name", spec.name},
                    {"summary", spec.summary},
                    {"axes", axes},
                    {"tolerance", spec.tolerance ? Json(*spec.tolerance) : Json(nullptr)}});
    if (spec.measures)
      list.back()["measures"] = {{"rate", spec.measures->rate}, {"arrays", spec.measures->arrays}};
    if (kernels.contains(file)) list.back()["kernels"] = kernels[file];
    if (const auto found = code.find(spec.name); found != code.end()) list.back()["code"] = found->second;
  }
  return {{"type", "described"}, {"variants", list}};
}

/// The variant's own, or that of what it would run on.
std::string refusal_of(const Variant& variant, const Point& point) {
  std::string refusal = variant.refusal(point);
  if (const Platform* const here = platform(); here && refusal.empty())
    refusal = here->refusal(variant, point);
  return refusal;
}

Json planned(const Json& request, Channel&) {
  const Variant& variant = variant_named(request.at("variant"));
  Json list = Json::array();
  for (const Point& point : planned_points(request)) {
    const std::string refusal = refusal_of(variant, point);
    list.push_back(refusal.empty() ? Json{{"memory", variant.memory(point)}} : Json{{"refused", refusal}});
    if (!refusal.empty()) continue;
    if (const auto steps = variant.steps(point); steps > 1) list.back()["steps"] = steps;
  }
  return {{"type", "planned"}, {"points", list}};
}

Json timing(const Timed& timed, Unit unit) {
  const Measured& measured = timed.measured;
  Json json{{"per", name_of(unit)},        {"clock", measured.clock},
            {"inner", measured.inner},     {"stopped_by", measured.stopped_by},
            {"samples", measured.samples}, {"first_sample_at", measured.first_sample - timed.load_seconds},
            {"busy", measured.busy}};
  if (timed.iterations) json["iterations"] = *timed.iterations;
  if (!measured.phases.empty()) json["phases"] = to_json(measured.phases);
  if (!measured.warnings.empty()) json["warnings"] = measured.warnings;
  return json;
}

/// What the run counted, or the variant's model of one unit: of a solve that took so many `iterations`, as
/// many times that of one. What neither says, it touches all the memory that it takes.
std::optional<Work> work_of(const Variant& variant, const Point& point, std::optional<Work> counted,
                            std::optional<std::int64_t> iterations) {
  std::optional<Work> work = std::move(counted);
  if (work)
    work->counted = true;
  else if (variant.spec().work)
    work = variant.spec().work(point) *
           (static_cast<double>(iterations.value_or(1)) / static_cast<double>(variant.steps(point)));
  if (work && !work->working_set) work->working_set = variant.memory(point);
  return work;
}

/// The case that was timed last, until something else is asked: it may have to be proved.
struct Kept {
  std::string id;
  std::unique_ptr<TimedCase> timed;
};

/// Its own answer, and no result's: `"from": "inputs"` or `"last"` writes outputs; without that only the time
/// until this answer matters.
Json proved(const Json& request, const Kept& kept) {
  const std::int64_t iterations = request.at("iterations");
  const std::string from = request.value("from", "");
  if (from.empty()) {
    kept.timed->go_on(iterations);
    return {{"how", "timed"}};
  }
  const std::string folder = request.at("arrays").at("out");
  const Proved proved =
      from == "last" ? kept.timed->prove_last(folder) : kept.timed->prove_from_inputs(iterations, folder);
  Json answer{{"how", proved.how}, {"outputs", proved.written}};
  if (proved.iterations) answer["iterations"] = *proved.iterations;
  if (!proved.seconds.empty()) answer["seconds"] = proved.seconds;
  return answer;
}

/// What a point has besides its axes where a solve is to stop after so many iterations, whatever its test
/// says.
constexpr const char* stop_after = "stop_after";

/// A kernel that does not look at it goes on to its solution.
void require_stopped(const Variant& variant, std::int64_t after, std::optional<std::int64_t> made) {
  if (made != after) throw Error(fmt::format("{} cannot be stopped on its way", variant.spec().name));
}

Json ran(const Json& request, Channel& channel, const std::string& build_type, Kept& kept) {
  const Variant& variant = variant_named(request.at("variant"));
  Point point = point_from(request.at("point"));
  const Team team(settings_of(point), request.value("cpus", std::vector<int>{}));
  const Usage usage;
  const Phase phase(request.at("case").get<std::string>(), PhaseCategory(variant.spec().name));
  Json record{{"type", "record"}, {"case", request.at("case")}};
  if (request.at("steps") == Json{"prove"}) {
    if (!kept.timed || kept.id != request.at("case"))
      throw Error("nothing to prove: this case was not timed in this process just before");
    record["proved"] = proved(request, kept);
    return record;
  }
  kept = {};
  const Json& arrays = request.at("arrays");
  const Task task{variant, point, team, arrays.at("in").get<std::string>(),
                  arrays.at("out").get<std::string>()};
  Json facts = Json::object();
  std::optional<std::int64_t> iterations;  // of what is timed
  std::optional<Work> counted;
  for (const std::string step : request.at("steps")) {
    if (step == "state") {
      const std::int64_t after = request.at("iterations");
      point.set(stop_after, after);
      const Solved solved = solve(task, static_cast<int>(after));
      require_stopped(variant, after, solved.iterations);
      record["state"] = {{"iterations", after}, {"outputs", solved.written}};
    } else if (step == "verify") {
      const double start = monotonic();
      const Solved solved = solve(task, request.at("iterations"));
      record["outputs"] = solved.written;
      if (!solved.seconds.empty()) record["seconds"] = solved.seconds;
      iterations = solved.iterations;
      counted = solved.work;
      facts = to_json(solved.facts);
      // No time of a kernel's, but what judging it here costs.
      if (platform() && !platform()->times())
        facts["solved"] = {{"iterations", request.at("iterations")}, {"seconds", monotonic() - start}};
    } else if (step == "time" && platform() && !platform()->times()) {
      throw Error("this worker only verifies; how long its kernels take says nothing of a GPU");
    } else if (step == "time") {
      const Json& policy = request.at("measure");
      const std::int64_t after = policy.value(stop_after, std::int64_t{0});
      if (after > 0) point.set(stop_after, after);
      kept = {request.at("case"), std::make_unique<TimedCase>(variant, point, team, task.inputs)};
      const Timed timed = kept.timed->time(
          {.max_noise = policy.at("max_noise"),
           .seconds = policy.at("seconds"),
           .min_samples = policy.at("min_samples"),
           .inner = policy.value("inner", std::int64_t{0}),
           .slowdown = policy.value("slowdown", 1.0),
           .most_samples = policy.value("most_samples", SamplingPolicy().most_samples)},
          [&](const Measured& so_far) {
            channel.send(
                {{"type", "progress"}, {"case", request.at("case")}, {"samples", so_far.samples.size()}});
          });
      if (after > 0) require_stopped(variant, after, timed.iterations);
      record["time"] = timing(timed, variant.unit(point));
      iterations = timed.iterations;
      counted = timed.measured.work;
      // Who asked must be able to tell it from a worker that knows of no such thing.
      if (policy.contains("slowdown")) record["time"]["slowdown"] = policy["slowdown"];
      if (platform())
        for (const auto& warning : platform()->warnings()) record["time"]["warnings"].push_back(warning);
      facts = to_json(timed.facts);
      if (!timed.clocks.empty()) facts[clock_fact] = timed.clocks;
    } else if (step == "count") {
      const Phase counting(Stage::count, category_of(variant));
      record["per"] = name_of(variant.unit(point));
      record["counts"] = counts_answer(request.at("count"), request.at("case"), variant, point, team.cpus(),
                                       arrays.at("in").get<std::string>());
    } else {
      throw Error(fmt::format("this worker cannot {}; it can verify, time, prove, state and count", step));
    }
  }
  if (const auto work = work_of(variant, point, std::move(counted), iterations))
    record["work"] = to_json(*work);
  record["env"] = usage.since(record.contains("time"));
  if (platform()) platform()->gather(record["env"]);
  record["env"]["pinned"] = team.pinned();
  record["env"]["denormals"] = team.flushes() ? "flushed" : "kept";
  record["env"]["build_type"] = build_type;
  if (platform()) record["env"].update(platform()->usage());
  record["env"].update(facts);
  return record;
}

Json sources(const Json& request, Channel&) { return sources_answer(request); }

}  // namespace

Json hello_facts(const Build& build) {
  Json facts = platform() ? platform()->hello() : Json::object();
  facts["build"] = to_json(build);
  facts["steps"] = {"verify", "count"};
  if (!platform() || platform()->times()) facts["steps"] = {"verify", "time", "prove", "state", "count"};
  return facts;
}

std::map<std::string, Handler> worker_answers(const Build& build) {
  const std::string type = build.type;
  const auto kept = std::make_shared<Kept>();
  return {{"describe", described},
          {"plan", planned},
          {"run", [type, kept](const Json& request,
                               Channel& channel) { return ran(request, channel, type, *kept); }},
          {"sources", sources}};
}

}  // namespace uotbench
