// A recorded trace of the gate, read back, and how noisy it is.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/gate/tell/trace.hpp"
#include "results/statistics/paired.hpp"

namespace uotbench {

inline const Json& trace_member(const Json& object, const char* key, const std::string& where) {
  if (!object.contains(key))
    throw UsageError(fmt::format("{}: has no \"{}\"; it is no trace of the gate", where, key));
  return object[key];
}

inline std::string trace_text(const Json& object, const char* key, const std::string& where) {
  const Json& value = trace_member(object, key, where);
  if (!value.is_string())
    throw UsageError(fmt::format("{}: /{} is {}, not a text", where, key, value.type_name()));
  return value;
}

inline std::vector<double> trace_seconds(const Json& recorded, const std::string& where) {
  const auto wrong = [&](const std::string& found) {
    throw UsageError(fmt::format("{}: {}; expected a list of times above 0, in seconds", where, found));
  };
  if (!recorded.is_object() || !recorded.contains("seconds")) wrong("has no \"seconds\"");
  const Json& list = recorded["seconds"];
  if (!list.is_array() || list.empty()) wrong("\"seconds\" is no list, or empty");
  std::vector<double> seconds;
  for (const auto& value : list) {
    if (!value.is_number() || !(value.get<double>() > 0) || !std::isfinite(value.get<double>()))
      wrong(fmt::format("value {} is {}", seconds.size() + 1, to_line(value)));
    seconds.push_back(value);
  }
  return seconds;
}

/// Throws UsageError naming the file, the key, what was found and what was expected.
inline GateTrace read_gate_trace(const std::filesystem::path& file) {
  const std::string where = file.string();
  std::ifstream stream(file);
  if (!stream) throw UsageError(fmt::format("{}: cannot be read", where));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const Json json = parse_shallow(text);
  if (!json.is_object()) throw UsageError(fmt::format("{}: is no JSON object", where));
  GateTrace trace;
  trace.about = trace_text(json, "about", where);
  trace.recorded = trace_text(json, "recorded", where);
  trace.machine = trace_member(json, "machine", where);
  const Json& cases = trace_member(json, "cases", where);
  if (!cases.is_object() || cases.empty())
    throw UsageError(fmt::format("{}: /cases is {}, not an object with a case or more", where,
                                 cases.is_object() ? "empty" : cases.type_name()));
  for (const auto& [id, recorded] : cases.items())
    trace.cases.push_back({.id = id, .seconds = trace_seconds(recorded, fmt::format("{}: {}", where, id))});
  return trace;
}

/// The robust standard deviation of the logarithm of one process's time, from neighbours (a pair's over the
/// root of 2: what drifts slowly is no part of it), that nine in ten stretches of 48 processes do not exceed:
/// wherever a session begins, a screen has as many. Throws Error below 3 values.
inline double noise_of(const GateTrace::Case& recorded) {
  std::vector<double> changes;
  for (std::size_t i = 1; i < recorded.seconds.size(); ++i)
    changes.push_back(std::log(recorded.seconds[i] / recorded.seconds[i - 1]));
  if (changes.size() < 2) throw Error(fmt::format("{}: noise of fewer than 3 processes", recorded.id));
  const std::size_t stretch = std::min<std::size_t>(changes.size(), 47);
  std::vector<double> noises;
  for (std::size_t begin = 0; begin + stretch <= changes.size(); ++begin)
    noises.push_back(scaled_mad(std::span(changes).subspan(begin, stretch)) / std::sqrt(2.));
  std::sort(noises.begin(), noises.end());
  return noises[(noises.size() - 1) * 9 / 10];
}

}  // namespace uotbench
