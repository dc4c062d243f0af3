#include "results/record/timing_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/error.hpp"
#include "results/base/json_parts.hpp"
#include "results/base/violation.hpp"

namespace uotbench {
namespace {

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

}  // namespace uotbench
