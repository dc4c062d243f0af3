#include "harness/protocol/messages.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "harness/protocol/point_json.hpp"
#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/record.hpp"

namespace uotbench {
namespace {

Facts derived_from(const Json& values, std::size_t point) {
  Facts derived;
  for (const auto& [axis, value] : values.items()) try {
      derived.emplace_back(axis, value_from(value));
    } catch (const Error& error) {
      throw Error(fmt::format("/points/{}/derived/{}: {}", point, axis, error.what()));
    }
  return derived;
}

using run_step::Prove;

/// In the order of RunStep.
constexpr std::array<const char*, std::variant_size_v<RunStep>> step_names{"verify", "time",  "prove",
                                                                           "state",  "count", "once"};
constexpr std::array<std::pair<Prove::From, const char*>, 2> proof_origins{
    {{Prove::From::inputs, "inputs"}, {Prove::From::last, "last"}}};

template <class T>
void put(Json& json, const char* key, const std::optional<T>& value) {
  if (value) json[key] = *value;
}

template <class T>
void put(Json& json, const char* key, const std::vector<T>& values) {
  if (!values.empty()) json[key] = values;
}

/// A list that may be absent or null.
template <class T>
std::vector<T> list_in(const Json& json, const char* key) {
  return optional_from<std::vector<T>>(json, key).value_or(std::vector<T>());
}

// Of each step what its request has besides.

void put_step(Json&, const run_step::Verify&) {}
void put_step(Json&, const run_step::State&) {}
void put_step(Json&, const run_step::Once&) {}

void put_step(Json& json, const run_step::Time& time) {
  Json& measure = json["measure"] = {
      {"max_noise", time.max_noise}, {"seconds", time.seconds}, {"min_samples", time.min_samples}};
  put(measure, "most_samples", time.most_samples);
  put(measure, "inner", time.inner);
  put(measure, "slowdown", time.slowdown);
  put(measure, "stop_after", time.stop_after);
}

void put_step(Json& json, const Prove& prove) {
  for (const auto& [from, name] : proof_origins)
    if (from == prove.from) json["from"] = name;
}

void put_step(Json& json, const run_step::Count& count) {
  json["count"] = {{"source", count.source}, {"events", count.events}};
  if (!count.caches.is_null()) json["count"]["caches"] = count.caches.json();
}

run_step::Time time_from(const Json& measure) {
  return {.max_noise = measure.at("max_noise"),
          .seconds = measure.at("seconds"),
          .min_samples = measure.at("min_samples"),
          .most_samples = optional_from<std::int64_t>(measure, "most_samples"),
          .inner = optional_from<std::int64_t>(measure, "inner"),
          .slowdown = optional_from<double>(measure, "slowdown"),
          .stop_after = optional_from<std::int64_t>(measure, "stop_after")};
}

Prove prove_from(const Json& json) {
  const std::string text = text_in(json, "from");
  for (const auto& [from, name] : proof_origins)
    if (text == name) return {from};
  if (text.empty()) return {};
  throw Error(fmt::format(R"(/from: expected "inputs", "last" or nothing, got "{}")", text));
}

run_step::Count count_from(const Json& count) {
  return {.source = count.at("source"), .events = count.at("events"), .caches = value_in(count, "caches")};
}

RunStep step_from(const Json& json) {
  const Json& steps = json.at("steps");
  if (!steps.is_array() || steps.size() != 1 || !steps[0].is_string())
    throw Error(fmt::format("/steps: expected a list of one step, got {}", to_line(steps)));
  const std::string name = steps[0];
  if (name == "verify") return run_step::Verify{};
  if (name == "time") return time_from(json.at("measure"));
  if (name == "prove") return prove_from(json);
  if (name == "state") return run_step::State{};
  if (name == "count") return count_from(json.at("count"));
  if (name == "once") return run_step::Once{};
  throw Error(fmt::format("this worker cannot {}; it can verify, time, prove, state and count", name));
}

Json to_json(const TimeReply& time) {
  Json json{{"per", name_of(time.per)},
            {"clock", time.clock},
            {"inner", time.inner},
            {"stopped_by", time.stopped_by},
            {"samples", time.samples}};
  put(json, "first_sample_at", time.first_sample_at);
  put(json, "busy", time.busy);
  put(json, "iterations", time.iterations);
  put(json, "slowdown", time.slowdown);
  if (!time.phases.empty()) json["phases"] = to_json(time.phases);
  put(json, "warnings", time.warnings);
  return json;
}

TimeReply time_reply_from(const Json& json) {
  // One member after the other: what fails here fails between whole objects.
  TimeReply time;
  time.samples = json.at("samples").get<std::vector<double>>();
  time.per = *unit_from(json.at("per").get<std::string>());
  time.clock = json.at("clock");
  time.stopped_by = json.at("stopped_by");
  time.inner = json.at("inner");
  time.first_sample_at = optional_from<double>(json, "first_sample_at");
  time.busy = optional_from<double>(json, "busy");
  time.iterations = optional_from<std::int64_t>(json, "iterations");
  time.slowdown = optional_from<double>(json, "slowdown");
  time.phases = phases_from(value_in(json, "phases"), time.samples);
  time.warnings = list_in<std::string>(json, "warnings");
  return time;
}

Json to_json(const ProvedReply& proved) {
  Json json{{"how", proved.how}};
  put(json, "outputs", proved.outputs);
  put(json, "iterations", proved.iterations);
  put(json, "seconds", proved.seconds);
  return json;
}

ProvedReply proved_reply_from(const Json& json) {
  ProvedReply proved;
  proved.how = json.at("how");
  proved.outputs = list_in<std::string>(json, "outputs");
  proved.iterations = optional_from<std::int64_t>(json, "iterations");
  proved.seconds = list_in<double>(json, "seconds");
  return proved;
}

/// The member, where there is one and it is not null.
const Json* part_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

Hello hello_from(const Json& json) {
  Hello hello;
  hello.worker = text_in(json, "worker");
  hello.obstacle = text_in(json, "obstacle");
  hello.device = value_in(json, "device");
  hello.steps = optional_from<std::vector<std::string>>(json, "steps");
  hello.build = object_in(json, "build");
  return hello;
}

std::vector<PlannedPoint> planned_from(const Json& json) {
  const Json& list = json.at("points");
  std::vector<PlannedPoint> points;
  points.reserve(list.size());
  for (const auto& one : list) {
    PlannedPoint& point = points.emplace_back();
    point.refused = optional_from<std::string>(one, "refused");
    point.memory = one.value("memory", point.memory);
    point.steps = one.value("steps", point.steps);
    point.judged_after = one.value("judged_after", point.judged_after);
    point.files = one.value("files", point.files);
    if (const auto derived = one.find("derived"); derived != one.end())
      point.derived = derived_from(*derived, points.size() - 1);
  }
  return points;
}

const char* name_of(const RunStep& step) { return step_names[step.index()]; }

Json to_json(const RunRequest& request) {
  Json json{{"type", "run"},
            {"case", request.id},
            {"variant", request.variant},
            {"point", to_json(request.point)},
            {"arrays", {{"in", request.in}, {"out", request.out}}},
            {"steps", {name_of(request.step)}},
            {"iterations", request.iterations},
            {"cpus", request.cpus}};
  std::visit([&](const auto& step) { put_step(json, step); }, request.step);
  return json;
}

RunRequest run_request_from(const Json& json) {
  RunRequest request;
  request.step = step_from(json);
  request.id = json.at("case");
  request.variant = json.at("variant");
  request.point = point_from(json.at("point"));
  const Json arrays = object_in(json, "arrays");
  request.in = text_in(arrays, "in");
  request.out = text_in(arrays, "out");
  request.iterations = optional_from<std::int64_t>(json, "iterations").value_or(1);
  request.cpus = list_in<int>(json, "cpus");
  return request;
}

Json to_json(const RunReply& reply) {
  Json json{{"type", "record"}};
  if (!reply.id.empty()) json["case"] = reply.id;
  put(json, "outputs", reply.outputs);
  if (!reply.verified_by.empty()) json["verified_by"] = reply.verified_by;
  put(json, "seconds", reply.seconds);
  if (reply.time) json["time"] = to_json(*reply.time);
  if (reply.proved) json["proved"] = to_json(*reply.proved);
  if (reply.state)
    json["state"] = {{"iterations", reply.state->iterations}, {"outputs", reply.state->outputs}};
  if (reply.counts) {
    json["counts"] = Json::object();
    for (const auto& [event, count] : *reply.counts) json["counts"][event] = to_json(count);
  }
  if (reply.per) json["per"] = name_of(*reply.per);
  if (reply.work) json["work"] = to_json(*reply.work);
  if (!reply.env.empty()) json["env"] = reply.env.json();
  return json;
}

RunReply run_reply_from(const Json& json) {
  RunReply reply;
  reply.id = text_in(json, "case");
  reply.outputs = optional_from<std::vector<std::string>>(json, "outputs");
  reply.verified_by = text_in(json, "verified_by");
  reply.claims_check = json.contains("check");
  reply.seconds = list_in<double>(json, "seconds");
  if (const Json* const time = part_in(json, "time")) reply.time = time_reply_from(*time);
  if (const Json* const work = part_in(json, "work")) reply.work = work_from(*work);
  if (part_in(json, "counts")) reply.counts = event_counts_from(json);
  reply.per = unit_from(text_in(json, "per"));
  if (const Json* const proved = part_in(json, "proved")) reply.proved = proved_reply_from(*proved);
  if (const Json* const state = part_in(json, "state")) {
    reply.state.emplace();
    reply.state->iterations = state->at("iterations");
    reply.state->outputs = list_in<std::string>(*state, "outputs");
  }
  if (const Json* const env = part_in(json, "env")) reply.env = CaseFacts(*env);
  return reply;
}

Json to_json(const PreparedReply& reply) {
  Json json{{"type", "prepared"}};
  if (!reply.files.empty()) json["files"] = reply.files;
  return json;
}

Json to_json(const JudgedReply& reply) {
  return {{"type", "judged"},
          {"check", reply.check ? to_json(*reply.check) : Json(nullptr)},
          {"reason", reply.reason.empty() ? Json(nullptr) : Json(reply.reason)}};
}

Json to_json(const HashedReply& reply) {
  return {{"type", "hashed"}, {"files", reply.files.empty() ? Json::object() : Json(reply.files)}};
}

PreparedReply prepared_reply_from(const Json& json) {
  return {.files = json.value("files", InputContents())};
}

JudgedReply judged_reply_from(const Json& json) {
  JudgedReply reply;
  if (!json.at("check").is_null()) reply.check = check_from(json.at("check"));
  reply.reason = text_in(json, "reason");
  return reply;
}

HashedReply hashed_reply_from(const Json& json) { return {.files = json.at("files")}; }

}  // namespace uotbench
