#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/violation.hpp"
#include "results/record/record.hpp"

namespace uotbench {
namespace {

/// A reference that overflowed has no finite error, and JSON has no way to say infinity.
double error_from(const Json& json) { return json.is_number() ? json.get<double>() : HUGE_VAL; }

Json to_json(const ItemsChecked& items) {
  Json json{{"count", items.count}, {"wrong", items.wrong}, {"first", items.first}};
  if (items.worst) json["worst"] = {{"index", items.worst->index}, {"error", items.worst->error}};
  return json;
}

ItemsChecked items_from(const Json& json) {
  ItemsChecked items{.count = json.at("count"),
                     .wrong = json.at("wrong"),
                     .first = json.value("first", std::vector<std::int64_t>{})};
  if (json.contains("worst"))
    items.worst = {.index = json["worst"].at("index"), .error = error_from(json["worst"].at("error"))};
  return items;
}

// Of a sample: what the rounding of sums of small times may add.
constexpr double rounding = 1e-6;

Json to_json(const Proof& proof) {
  if (proof.how.empty())
    return {{"how", nullptr}, {"reason", proof.reason}, {"outside", or_null(proof.outside)}};
  return {{"how", proof.how},
          {"iterations", proof.iterations},
          {"error", proof.error},
          {"outside", or_null(proof.outside)}};
}

Proof proof_from(const Json& json) {
  return {.how = text_in(json, "how"),
          .reason = text_in(json, "reason"),
          .iterations = optional_from<std::int64_t>(json, "iterations").value_or(0),
          .error = optional_from<double>(json, "error").value_or(0),
          .outside = optional_from<double>(json, "outside")};
}

}  // namespace

Json to_json(const Check& check) {
  Json json{{"kind", check.kind},
            {"error", check.error},
            {"tolerance", check.tolerance},
            {"oracle", check.oracle},
            {"worst", check.worst}};
  if (!check.found.empty()) json["found"] = check.found.json();
  if (check.items) json["items"] = to_json(*check.items);
  return json;
}

Check check_from(const Json& json) {
  Check check{.kind = json.value("kind", "full"),
              .error = error_from(json.at("error")),
              .tolerance = json.at("tolerance"),
              .oracle = json.value("oracle", ""),
              .worst = json.value("worst", ""),
              .found = json.value("found", Json::object())};
  if (json.contains("items")) check.items = items_from(json["items"]);
  return check;
}

Json to_json(const std::vector<PhaseSamples>& phases) {
  Json json;
  for (const auto& phase : phases)
    json.push_back({{"name", phase.name}, {"seconds", phase.seconds}, {"entered", phase.entered}});
  return json;
}

std::vector<PhaseSamples> phases_from(const Json& json, const std::vector<double>& samples) {
  std::vector<PhaseSamples> phases;
  std::vector<double> left = samples;
  for (const auto& one : json) {
    PhaseSamples phase{
        .name = one.at("name"), .seconds = one.at("seconds"), .entered = one.value("entered", 0.0)};
    if (phase.name.empty() || std::ranges::count(phases, phase.name, &PhaseSamples::name) > 0)
      throw Violated(
          found_instead(fmt::format("the phase \"{}\" is there twice", phase.name), "a name of its own"));
    if (phase.seconds.size() != samples.size())
      throw Error(fmt::format("the phase {} has {} times, but there are {} samples", phase.name,
                              phase.seconds.size(), samples.size()));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      left[i] -= phase.seconds[i];
      if (!(phase.seconds[i] >= 0) || left[i] < -rounding * samples[i])
        throw Error(fmt::format("the phase {} took {} s of a sample of {} s, of which {} s were left",
                                phase.name, phase.seconds[i], samples[i], left[i] + phase.seconds[i]));
    }
    phases.push_back(std::move(phase));
  }
  return phases;
}

Json to_json(const Timing& time) {
  Json processes = Json::array();
  for (const auto& process : time.processes) {
    processes.push_back({{"start", process.start},
                         {"first_sample", or_null(process.first_sample)},
                         {"arm", or_null(process.arm)},
                         {"samples", process.samples}});
    if (process.busy) processes.back()["busy"] = *process.busy;
    if (!process.phases.empty()) processes.back()["phases"] = to_json(process.phases);
  }
  Json json{{"per", name_of(time.per)},      {"clock", time.clock},    {"inner", time.inner},
            {"stopped_by", time.stopped_by}, {"processes", processes}, {"warnings", time.warnings}};
  if (time.iterations) json["iterations"] = *time.iterations;
  if (time.proof) json["proof"] = to_json(*time.proof);
  return json;
}

Timing timing_from(const Json& json) {
  const std::string per = json.at("per");
  const auto unit = unit_from(per);
  if (!unit) throw Error(fmt::format("not a case record: timed per \"{}\"", per));
  Timing time{.per = *unit,
              .clock = json.at("clock"),
              .stopped_by = json.at("stopped_by"),
              .inner = json.at("inner"),
              .iterations = optional_from<std::int64_t>(json, "iterations"),
              .processes = {},
              .warnings = json.value("warnings", std::vector<std::string>{})};
  if (const auto proof = json.find("proof"); proof != json.end()) time.proof = proof_from(*proof);
  for (const auto& process : json.at("processes")) {
    time.processes.push_back({.start = process.at("start"),
                              .first_sample = optional_from<double>(process, "first_sample"),
                              .arm = optional_from<std::string>(process, "arm"),
                              .samples = process.at("samples"),
                              .busy = optional_from<double>(process, "busy")});
    auto& one = time.processes.back();
    if (process.contains("phases")) one.phases = phases_from(process["phases"], one.samples);
  }
  return time;
}

Json to_json(const Work& work) {
  Json json{{"flops", work.flops},
            {"bytes_read", work.bytes_read},
            {"bytes_written", work.bytes_written},
            {"write_allocate", work.write_allocate}};
  if (work.bytes_nontemporal > 0) json["bytes_nontemporal"] = work.bytes_nontemporal;
  if (work.working_set) json["working_set"] = *work.working_set;
  if (const auto& element = work.element)
    json["element"] = {{"elements", element->elements},
                       {"flops", element->flops},
                       {"memory", element->memory},
                       {"cached", element->cached}};
  for (const auto& [name, count] : work.operations) json["operations"][name] = count;
  if (work.counted) json["from"] = "run";
  if (!work.repeats) json["repeats"] = false;
  return json;
}

Work work_from(const Json& json) {
  Work work{.flops = json.value("flops", 0.0),
            .bytes_read = json.value("bytes_read", 0.0),
            .bytes_written = json.value("bytes_written", 0.0),
            .write_allocate = json.value("write_allocate", 0.0),
            .bytes_nontemporal = json.value("bytes_nontemporal", 0.0)};
  if (json.contains("working_set")) work.working_set = json.at("working_set").get<double>();
  if (json.contains("element")) {
    const Json& element = json.at("element");
    work.element = ElementWork{.elements = element.value("elements", 0.0),
                               .flops = element.value("flops", 0.0),
                               .memory = element.value("memory", 0.0),
                               .cached = element.value("cached", 0.0)};
  }
  const Json operations = json.value("operations", Json::object());
  for (const auto& [name, count] : operations.items())
    work.operations.push_back({.name = name, .count = count.get<double>()});
  work.counted = json.value("from", "model") == "run";
  work.repeats = json.value("repeats", true);
  return work;
}

}  // namespace uotbench
