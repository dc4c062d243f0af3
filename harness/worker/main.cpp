// A worker that holds native variants: describes them, plans, verifies and times.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "harness/worker/build.hpp"
#include "harness/worker/measure.hpp"
#include "harness/worker/serve.hpp"
#include "harness/worker/usage.hpp"
#include "harness/worker/variant.hpp"
#include "results/error.hpp"

namespace uotbench {
namespace {

double monotonic() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Json described(const Json&, Channel&) {
  Json list = Json::array();
  for (const Variant* variant : variants()) {
    const auto& spec = variant->spec();
    Json axes = Json::array();
    for (const auto& axis : spec.axes) axes.push_back(to_json(axis));
    list.push_back({{"name", spec.name},
                    {"summary", spec.summary},
                    {"axes", axes},
                    {"tolerance", spec.tolerance ? Json(*spec.tolerance) : Json(nullptr)}});
  }
  return {{"type", "described"}, {"variants", list}};
}

Json planned(const Json& request, Channel&) {
  const Variant& variant = variant_named(request.at("variant"));
  Json list = Json::array();
  for (auto& values : planned_points(request)) {
    const Point point(std::move(values));
    const std::string refusal = variant.refusal(point);
    list.push_back(refusal.empty() ? Json{{"memory", variant.memory(point)}} : Json{{"refused", refusal}});
  }
  return {{"type", "planned"}, {"points", list}};
}

/// Solves from the inputs as they are and writes the outputs; returns their names.
Json verified(const Variant& variant, const Json& request, const Point& point, const Team& team,
              Json& facts) {
  Arrays inputs(request.at("arrays").at("in").get<std::string>(), false);
  Arrays outputs(request.at("arrays").at("out").get<std::string>(), true);
  const auto instance = variant.load(point, inputs, team);
  const int iterations = request.at("iterations");
  instance->begin();
  for (int done = variant.spec().outside; done < iterations; ++done) instance->iterate();
  facts = instance->facts();
  return instance->finish(outputs);
}

Json timed(const Variant& variant, const Json& request, const Point& point, const Team& team,
           Channel& channel, Json& facts) {
  Arrays inputs(request.at("arrays").at("in").get<std::string>(), false);
  const double load_start = monotonic();
  const auto instance = variant.load(point, inputs, team);
  instance->begin();
  const double load_seconds = monotonic() - load_start;
  facts = instance->facts();
  const Json& policy = request.at("measure");
  const auto measured =
      measure(*instance,
              {.max_noise = policy.at("max_noise"),
               .seconds = policy.at("seconds"),
               .min_samples = policy.at("min_samples"),
               .cold = point.text("cache") == "cold"},
              [&](const Measured& so_far) {
                channel.send(
                    {{"type", "progress"}, {"case", request.at("case")}, {"samples", so_far.samples.size()}});
              });
  return {{"per", "iteration"},          {"clock", "steady"},
          {"inner", measured.inner},     {"stopped_by", measured.stopped_by},
          {"samples", measured.samples}, {"first_sample_at", measured.first_sample - load_seconds},
          {"busy", measured.busy}};
}

Json ran(const Json& request, Channel& channel) {
  const Variant& variant = variant_named(request.at("variant"));
  const Point point(request.at("point"));
  const Team team(static_cast<int>(point.integer("threads")), request.value("cpus", std::vector<int>{}));
  const Usage usage;
  Json record{{"type", "record"}, {"case", request.at("case")}};
  Json facts = Json::object();
  for (const std::string step : request.at("steps")) {
    if (step == "verify") {
      record["outputs"] = verified(variant, request, point, team, facts);
    } else if (step == "time") {
      record["time"] = timed(variant, request, point, team, channel, facts);
    } else {
      throw Error(fmt::format("this worker cannot {}; it can verify and time", step));
    }
  }
  record["work"] = to_json(variant.spec().work(point));
  record["env"] = usage.since();
  record["env"]["pinned"] = team.pinned();
  record["env"]["build_type"] = UOTBENCH_BUILD_TYPE;
  record["env"].update(facts);
  return record;
}

}  // namespace
}  // namespace uotbench

int main() {
  using namespace uotbench;
  return serve(worker_name(), build_facts(), {{"describe", described}, {"plan", planned}, {"run", ran}});
}
