#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "harness/protocol/messages.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/worker/base/usage.hpp"
#include "harness/worker/counters/counters.hpp"
#include "harness/worker/phases.hpp"
#include "harness/worker/serve/serve.hpp"
#include "harness/worker/timing/timed_case.hpp"
#include "harness/worker/variant.hpp"
#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/record.hpp"

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
  return {{"type", "planned"}, {"points", std::move(list)}};
}

TimeReply timing(const Timed& timed, Unit unit) {
  const Measured& measured = timed.measured;
  return {.per = unit,
          .clock = measured.clock,
          .stopped_by = measured.stopped_by,
          .inner = measured.inner,
          .samples = measured.samples,
          .first_sample_at = measured.first_sample - timed.load_seconds,
          .busy = measured.busy,
          .iterations = timed.iterations,
          .phases = measured.phases,
          .warnings = measured.warnings};
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

/// Outputs are written where the result is to be verified; else only the time until this answer matters.
ProvedReply proved(const RunRequest& request, run_step::Prove::From from, const Kept& kept) {
  if (!kept.timed || kept.id != request.id)
    throw Error("nothing to prove: this case was not timed in this process just before");
  if (from == run_step::Prove::From::nothing) {
    kept.timed->go_on(request.iterations);
    return {.how = "timed"};
  }
  const Proved proved = from == run_step::Prove::From::last
                            ? kept.timed->prove_last(request.out)
                            : kept.timed->prove_from_inputs(request.iterations, request.out);
  return {.how = proved.how,
          .outputs = proved.written,
          .iterations = proved.iterations,
          .seconds = proved.seconds};
}

/// What a point has besides its axes where a solve is to stop after so many iterations, whatever its test
/// says.
constexpr const char* stop_after = "stop_after";

/// A kernel that does not look at it goes on to its solution.
void require_stopped(const Variant& variant, std::int64_t after, std::optional<std::int64_t> made) {
  if (made != after) throw Error(fmt::format("{} cannot be stopped on its way", variant.spec().name));
}

/// One request to run a case, a function a step.
class CaseRun {
 public:
  CaseRun(const RunRequest& request, Channel& channel, Kept& kept)
      : request_(request),
        channel_(channel),
        kept_(kept),
        variant_(variant_named(request.variant)),
        point_(request.point),
        team_(settings_of(point_), request.cpus),
        reply_{.id = request.id} {}

  RunReply reply(const std::string& build_type) {
    const Usage usage;
    const Phase phase(request_.id, PhaseCategory(variant_.spec().name));
    if (const auto* const prove = std::get_if<run_step::Prove>(&request_.step)) {
      reply_.proved = proved(request_, prove->from, kept_);
      return reply_;
    }
    kept_ = {};
    std::visit([this](const auto& step) { act(step); }, request_.step);
    reply_.work = work_of(variant_, point_, std::move(counted_), iterations_);
    Json env = usage.since(reply_.time.has_value());
    if (platform()) platform()->gather(env);
    env["pinned"] = team_.pinned();
    env["denormals"] = team_.flushes() ? "flushed" : "kept";
    env["build_type"] = build_type;
    if (platform()) env.update(platform()->usage());
    env.update(facts_);
    reply_.env = CaseFacts(std::move(env));
    return reply_;
  }

 private:
  Task task() { return {variant_, point_, team_, request_.in, request_.out}; }

  void act(const run_step::State&) {
    point_.set(stop_after, request_.iterations);
    const Solved solved = solve(task(), static_cast<int>(request_.iterations));
    require_stopped(variant_, request_.iterations, solved.iterations);
    reply_.state = StateReply{request_.iterations, solved.written};
  }

  void act(const run_step::Verify&) {
    const double start = monotonic();
    const Solved solved = solve(task(), static_cast<int>(request_.iterations));
    reply_.outputs = solved.written;
    reply_.seconds = solved.seconds;
    iterations_ = solved.iterations;
    counted_ = solved.work;
    facts_ = to_json(solved.facts);
    // No time of a kernel's, but what verifying it here costs.
    if (platform() && !platform()->times())
      facts_["solved"] = {{"iterations", request_.iterations}, {"seconds", monotonic() - start}};
  }

  void act(const run_step::Time& asked) {
    if (platform() && !platform()->times())
      throw Error("this worker only verifies; how long its kernels take says nothing of a GPU");
    const std::int64_t after = asked.stop_after.value_or(0);
    if (after > 0) point_.set(stop_after, after);
    kept_ = {request_.id, std::make_unique<TimedCase>(variant_, point_, team_, request_.in)};
    const SamplingPolicy standard;
    const SamplingPolicy policy{.max_noise = asked.max_noise,
                                .seconds = asked.seconds,
                                .min_samples = static_cast<int>(asked.min_samples),
                                .inner = asked.inner.value_or(0),
                                .slowdown = asked.slowdown.value_or(1),
                                .most_samples = static_cast<std::size_t>(asked.most_samples.value_or(
                                    static_cast<std::int64_t>(standard.most_samples)))};
    const Timed timed = kept_.timed->time(policy, [&](const Measured& so_far) {
      channel_.send({{"type", "progress"}, {"case", request_.id}, {"samples", so_far.samples.size()}});
    });
    if (after > 0) require_stopped(variant_, after, timed.iterations);
    TimeReply& time = reply_.time.emplace(timing(timed, variant_.unit(point_)));
    iterations_ = timed.iterations;
    counted_ = timed.measured.work;
    // Who asked must be able to tell it from a worker that knows of no such thing.
    time.slowdown = asked.slowdown;
    if (platform())
      for (const auto& warning : platform()->warnings()) time.warnings.push_back(warning);
    facts_ = to_json(timed.facts);
    if (!timed.clocks.empty()) facts_[clock_fact] = timed.clocks;
  }

  void act(const run_step::Count& asked) {
    const Phase counting(Stage::count, category_of(variant_));
    reply_.per = variant_.unit(point_);
    reply_.counts = counts_for(asked, request_.id, variant_, point_, team_.cpus(), request_.in);
  }

  void act(const run_step::Once&) const {
    throw Error("this worker cannot once; it can verify, time, prove, state and count");
  }
  void act(const run_step::Prove&) const {}  // see reply()

  const RunRequest& request_;
  Channel& channel_;
  Kept& kept_;
  const Variant& variant_;
  Point point_;
  Team team_;
  RunReply reply_;
  Json facts_ = Json::object();
  std::optional<std::int64_t> iterations_;  ///< of what was timed
  std::optional<Work> counted_;
};

Json sources(const Json& message, Channel&) { return to_json(sources_for(sources_request_from(message))); }

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
          {"run",
           [type, kept](const Json& message, Channel& channel) {
             const RunRequest request = run_request_from(message);
             return to_json(CaseRun(request, channel, *kept).reply(type));
           }},
          {"sources", sources}};
}

}  // namespace uotbench
