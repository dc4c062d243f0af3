#include "harness/sweep/sweep_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "harness/sweep/quantity.hpp"
#include "harness/sweep/schema.hpp"
#include "results/error.hpp"

namespace uotbench {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

/// 4096, 0.05, or the text itself.
Json scalar_from(const std::string& text) {
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto [rest, error] = std::from_chars(text.data(), end, integer);
      error == std::errc() && rest == end)
    return integer;
  double number = 0;
  if (const auto [rest, error] = std::from_chars(text.data(), end, number);
      error == std::errc() && rest == end && std::isfinite(number))  // "nan" and "inf" are texts
    return number;
  return text;
}

AxisValues axis_values(const std::string& key, const Json& value, const std::string& where) {
  AxisValues axis{.names = split(key, ','), .tuples = {}};
  const Json list = value.is_array() ? value : Json::array({value});
  for (const auto& entry : list) {
    const bool tuple = entry.is_array();
    if (axis.names.size() == 1 && tuple)
      throw UsageError(
          fmt::format("{}: found {}; accepted: a value (a tuple needs a tied axis such as \"M,N\")", where,
                      to_line(entry)));
    if (axis.names.size() > 1 && (!tuple || entry.size() != axis.names.size()))
      throw UsageError(
          fmt::format("{}: found {}; accepted: a list of tuples of {} values, one for each of {}", where,
                      to_line(entry), axis.names.size(), key));
    axis.tuples.push_back(tuple ? entry.get<std::vector<Json>>() : std::vector<Json>{entry});
  }
  return axis;
}

Json json_of(const AxisValues& axis) {
  Json list = Json::array();
  for (const auto& tuple : axis.tuples) list.push_back(axis.names.size() == 1 ? tuple.front() : Json(tuple));
  return list;
}

std::string key_of(const AxisValues& axis) { return fmt::format("{}", fmt::join(axis.names, ",")); }

/// A second -a would silently take the place of the first.
void refuse_repeats(const std::vector<AxisOverride>& overrides) {
  std::vector<std::string> seen;
  for (const auto& given : overrides)
    for (const auto& name : given.values.names) {
      if (std::find(seen.begin(), seen.end(), name) != seen.end())
        throw UsageError(fmt::format("-a {}: the axis {} is given twice; give it once, with all its values",
                                     given.text, name));
      seen.push_back(name);
    }
}

}  // namespace

AxisOverride parse_axis_override(const std::string& text) {
  const auto equals = text.find('=');
  AxisValues axis{.names = split(text.substr(0, equals), ','), .tuples = {}};
  if (equals == std::string::npos || equals + 1 == text.size() ||
      std::find(axis.names.begin(), axis.names.end(), "") != axis.names.end())
    throw UsageError(
        fmt::format("-a {}: write AXIS=VALUE,VALUE or, for a tied axis, M,N=512,512;4096,4096", text));
  const std::string values = text.substr(equals + 1);
  for (const auto& part : split(values, axis.names.size() == 1 ? ',' : ';')) {
    std::vector<Json> tuple;
    for (const auto& value : axis.names.size() == 1 ? std::vector{part} : split(part, ','))
      tuple.push_back(scalar_from(value));
    if (std::find(tuple.begin(), tuple.end(), "") != tuple.end())
      throw UsageError(fmt::format("-a {}: a value is empty", text));
    if (tuple.size() != axis.names.size())
      throw UsageError(
          fmt::format("-a {}: \"{}\" is not {} values separated by commas", text, part, axis.names.size()));
    axis.tuples.push_back(std::move(tuple));
  }
  return {.values = std::move(axis), .text = text};
}

Sweep sweep_from(const Json& json, const Json& schema, const std::string& source) {
  validate(json, schema, source);
  Sweep sweep;
  sweep.json = json;
  sweep.source = source;
  sweep.name = json.at("name");
  sweep.workers = json.value("workers", std::vector<std::string>{});
  if (json.contains("speedup_over"))
    sweep.speedup_over = json["speedup_over"].at("variant").get<std::string>();
  const Json measure = json.value("measure", Json::object());
  sweep.measure.rounds = measure.value("rounds", sweep.measure.rounds);
  sweep.measure.min_samples = measure.value("min_samples", sweep.measure.min_samples);
  if (measure.contains("max_noise")) sweep.measure.max_noise = parse_percent(measure["max_noise"]);
  if (measure.contains("max_time")) sweep.measure.max_time = parse_duration(measure["max_time"]);
  if (measure.contains("case_timeout")) sweep.measure.case_timeout = parse_duration(measure["case_timeout"]);
  for (std::size_t i = 0; i < json["cases"].size(); ++i) {
    const Json& entry = json["cases"][i];
    CaseGroup group{.variants = entry.at("variants"),
                    .workers = entry.value("workers", std::vector<std::string>{}),
                    .axes = {},
                    .where = fmt::format("{}: /cases/{}", source, i)};
    std::vector<std::string> seen;
    const Json axes = entry.value("axes", Json::object());
    for (const auto& [key, value] : axes.items()) {
      const std::string where = fmt::format("{}/axes/{}", group.where, key);
      group.axes.push_back(axis_values(key, value, where));
      for (const auto& name : group.axes.back().names) {
        if (name.empty())
          throw UsageError(
              fmt::format("{}: found \"{}\"; accepted: the name of an axis, or of tied axes such as \"M,N\"",
                          group.where + "/axes", key));
        if (std::find(seen.begin(), seen.end(), name) != seen.end())
          throw UsageError(
              fmt::format("{}: the axis \"{}\" stands twice in this case; keep one", where, name));
        seen.push_back(name);
      }
    }
    sweep.cases.push_back(std::move(group));
  }
  return sweep;
}

Json sweep_json(const std::vector<std::string>& variants, const std::vector<AxisOverride>& axes) {
  refuse_repeats(axes);
  Json values = Json::object();
  for (const auto& axis : axes) values[key_of(axis.values)] = json_of(axis.values);
  return {{"name", "run"}, {"cases", {{{"variants", variants}, {"axes", values}}}}};
}

void override_axes(Json& sweep, const std::vector<AxisOverride>& overrides) {
  refuse_repeats(overrides);
  if (!sweep.contains("cases") || !sweep["cases"].is_array()) return;  // validation says what is wrong
  for (const auto& given : overrides)
    for (auto& entry : sweep["cases"]) {
      if (!entry.is_object()) continue;
      const Json before = entry.value("axes", Json::object());
      Json axes = Json::object();
      for (const auto& [key, value] : before.items()) {
        const auto names = split(key, ',');
        const auto named = [&](const std::string& name) {
          return std::find(given.values.names.begin(), given.values.names.end(), name) !=
                 given.values.names.end();
        };
        if (std::none_of(names.begin(), names.end(), named)) {
          axes[key] = value;
        } else if (!std::all_of(names.begin(), names.end(), named)) {
          throw UsageError(fmt::format("-a {}: the sweep ties {} together; give all of them: -a {}=...",
                                       given.text, key, key));
        }
      }
      axes[key_of(given.values)] = json_of(given.values);
      entry["axes"] = axes;
    }
}

}  // namespace uotbench
