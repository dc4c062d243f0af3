#include "harness/sweep/language/sweep_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "harness/host/facts/topology.hpp"
#include "harness/protocol/point.hpp"
#include "harness/sweep/language/schema.hpp"
#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/rules.hpp"
#include "results/base/units.hpp"
#include "results/view/published.hpp"

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

// More than this is a mistake in writing; planning a million cases takes 20 s.
constexpr std::int64_t most_values = 1'000'000;

/// The values of {"from","to","step"} or {"pow2":[lowest,highest]}.
std::vector<std::int64_t> range_values(const Json& range, const std::string& where) {
  const auto wrong = [&](const char* accepted) {
    return UsageError(fmt::format("{}: expected {}, got {}", where, accepted, to_line(range)));
  };
  std::vector<std::int64_t> values;
  if (range.contains("pow2") && range.size() == 1) {
    const std::int64_t lowest = range["pow2"][0], highest = range["pow2"][1];
    if (lowest > highest) throw wrong("the smaller exponent first, as in {\"pow2\": [9, 12]}");
    for (auto exponent = lowest; exponent <= highest; ++exponent)
      values.push_back(std::int64_t{1} << exponent);
    return values;
  }
  if (!range.contains("from") || !range.contains("to") || !range.contains("step") || range.size() != 3)
    throw wrong("{\"from\": 512, \"to\": 4096, \"step\": 512} or {\"pow2\": [9, 12]}");
  const std::int64_t from = range["from"], to = range["to"], step = range["step"];
  if (from > to) throw wrong("from <= to");
  if (static_cast<double>(to) - static_cast<double>(from) >= static_cast<double>(step) * most_values)
    throw wrong("at most a million values");
  for (std::int64_t i = 0; i <= (to - from) / step; ++i) values.push_back(from + i * step);
  return values;
}

/// Numbers and texts, as the schema has it.
std::vector<Value> values_from(const Json& tuple, const std::string& where) try {
  std::vector<Value> values;
  for (const auto& value : tuple) values.push_back(value_from(value));
  return values;
} catch (const Error& error) {
  throw UsageError(fmt::format("{}: {}", where, error.what()));
}

AxisValues axis_values(const std::string& key, const Json& value, const std::string& where) {
  AxisValues axis{.names = split(key, ','), .tuples = {}};
  if (value.is_object()) {  // of a tied axis: all the same, so that {"M,N": {"pow2": [9, 12]}} are squares
    for (const auto entry : range_values(value, where)) axis.tuples.emplace_back(axis.names.size(), entry);
    return axis;
  }
  const Json list = value.is_array() ? value : Json::array({value});
  for (const auto& entry : list) {
    const bool tuple = entry.is_array();
    if (axis.names.size() == 1 && tuple)
      throw UsageError(fmt::format("{}: expected a value (a tuple needs a tied axis such as \"M,N\"), got {}",
                                   where, to_line(entry)));
    if (axis.names.size() > 1 && (!tuple || entry.size() != axis.names.size()))
      throw UsageError(fmt::format("{}: expected a list of tuples of {} values, one for each of {}, got {}",
                                   where, axis.names.size(), key, to_line(entry)));
    axis.tuples.push_back(values_from(tuple ? entry : Json::array({entry}), where));
  }
  return axis;
}

std::string key_of(const AxisOverride& axis) { return fmt::format("{}", fmt::join(axis.names, ",")); }

/// A second -a would silently take the place of the first.
void refuse_repeats(const std::vector<AxisOverride>& overrides) {
  std::vector<std::string> seen;
  for (const auto& given : overrides)
    for (const auto& name : given.names) {
      if (std::find(seen.begin(), seen.end(), name) != seen.end())
        throw UsageError(fmt::format("-a {}: the axis {} is given twice; give it once, with all its values",
                                     given.text, name));
      seen.push_back(name);
    }
}

/// Cases; what is none is left to validation.
std::vector<Json*> entries_of(Json& sweep) {
  std::vector<Json*> entries;
  if (sweep.contains("cases") && sweep["cases"].is_array())
    for (auto& entry : sweep["cases"])
      if (entry.is_object()) entries.push_back(&entry);
  return entries;
}

void override_axes(Json& sweep, const std::vector<AxisOverride>& overrides) {
  refuse_repeats(overrides);
  for (const auto& given : overrides)
    for (Json* const entry : entries_of(sweep)) {
      const Json before = entry->value("axes", Json::object());
      if (!before.is_object()) continue;
      Json axes = Json::object();
      for (const auto& [key, value] : before.items()) {
        const auto names = split(key, ',');
        const auto named = [&](const std::string& name) {
          return std::find(given.names.begin(), given.names.end(), name) != given.names.end();
        };
        if (std::none_of(names.begin(), names.end(), named)) {
          axes[key] = value;
        } else if (!std::all_of(names.begin(), names.end(), named)) {
          throw UsageError(fmt::format("-a {}: the sweep ties {} together; give all of them: -a {}=...",
                                       given.text, key, key));
        }
      }
      axes[key_of(given)] = given.value.json();
      (*entry)["axes"] = axes;
    }
}

/// What a file has, with what beats it; what is no sweep stays as it is, for validation.
Json merged(Json sweep, const SweepOverrides& overrides) {
  if (!sweep.is_object()) return sweep;
  override_axes(sweep, overrides.axes);
  const auto set = [&](const char* key, const auto& value) {
    if (!sweep.contains("measure")) sweep["measure"] = Json::object();
    if (sweep["measure"].is_object()) sweep["measure"][key] = value;
  };
  if (overrides.rounds) set("rounds", *overrides.rounds);
  if (overrides.min_samples) set("min_samples", *overrides.min_samples);
  if (!overrides.max_noise.empty()) set("max_noise", overrides.max_noise);
  if (!overrides.max_time.empty()) set("max_time", overrides.max_time);
  if (!overrides.case_timeout.empty()) set("case_timeout", overrides.case_timeout);
  if (!overrides.caches.empty()) set("caches", overrides.caches);
  if (!overrides.counters.empty()) sweep["counters"] = overrides.counters;
  if (!overrides.speedup_over.is_null()) sweep["speedup_over"] = overrides.speedup_over.json();
  if (overrides.workers.empty()) return sweep;
  sweep["workers"] = overrides.workers;
  for (Json* const entry : entries_of(sweep)) entry->erase("workers");
  return sweep;
}

/// A case group as a sweep file has it.
Json json_of(const CaseGroup& group) {
  Json axes = Json::object();
  for (const auto& axis : group.axes) {
    Json list = Json::array();
    for (const auto& values : axis.tuples) {
      Json tuple = Json::array();
      for (const auto& value : values) tuple.push_back(to_json(value));
      list.push_back(axis.names.size() == 1 ? tuple.front() : tuple);
    }
    axes[fmt::format("{}", fmt::join(axis.names, ","))] = list;
  }
  Json json{{"variants", group.variants}};
  if (!group.workers.empty()) json["workers"] = group.workers;
  json["axes"] = axes;
  return json;
}

}  // namespace

AxisOverride parse_axis_override(const std::string& text) {
  const auto equals = text.find('=');
  AxisOverride axis{.names = split(text.substr(0, equals), ','), .value = {}, .text = text};
  if (equals == std::string::npos || equals + 1 == text.size() ||
      std::find(axis.names.begin(), axis.names.end(), "") != axis.names.end())
    throw UsageError(
        fmt::format("-a {}: write AXIS=VALUE,VALUE or, for a tied axis, M,N=512,512;4096,4096", text));
  const std::string values = text.substr(equals + 1);
  if (values.front() == '{' || values.front() == '[') {
    axis.value = parse_strictly(values, fmt::format("-a {}", text));
    return axis;
  }
  const bool tied = axis.names.size() > 1;
  Json list = Json::array();
  for (const auto& part : split(values, tied ? ';' : ',')) {
    Json tuple = Json::array();
    for (const auto& value : tied ? split(part, ',') : std::vector{part}) {
      if (value.empty()) throw UsageError(fmt::format("-a {}: a value is empty", text));
      tuple.push_back(to_json(scalar_from(value)));
    }
    if (tuple.size() != axis.names.size())
      throw UsageError(
          fmt::format("-a {}: \"{}\" is not {} values separated by commas", text, part, axis.names.size()));
    list.push_back(tied ? tuple : tuple.front());
  }
  axis.value = std::move(list);
  return axis;
}

Sweep sweep_from(Json json, const Json& schema, const std::string& source, const SweepOverrides& overrides) {
  json = merged(std::move(json), overrides);
  validate(json, schema, source);
  Sweep sweep;
  sweep.source = source;
  sweep.name = json.at("name");
  sweep.workers = json.value("workers", std::vector<std::string>{});
  sweep.speedup_over = json.value("speedup_over", Json());
  if (json.contains("published"))
    for (const auto& variant : published_from(json["published"], source + ": /published").variants())
      sweep.published.push_back(variant);
  const Json measure = json.value("measure", Json::object());
  sweep.measure.rounds = measure.value("rounds", sweep.measure.rounds);
  sweep.measure.min_samples = measure.value("min_samples", sweep.measure.min_samples);
  if (measure.contains("max_noise")) sweep.measure.max_noise = parse_percent(measure["max_noise"]);
  if (measure.contains("max_time")) sweep.measure.max_time = parse_duration(measure["max_time"]);
  if (measure.contains("case_timeout")) sweep.measure.case_timeout = parse_duration(measure["case_timeout"]);
  const Json reach = measure.value("reach", Json::object());
  for (const auto& [name, targets] : reach.items())
    for (const double target : targets) sweep.measure.reach.emplace_back(name, target);
  if (measure.contains("caches")) {
    sweep.measure.caches = measure["caches"];
    try {
      parse_cache_shapes(sweep.measure.caches);
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("{}: /measure/caches: {}", source, error.what()));
    }
  }
  sweep.counters = json.value("counters", std::vector<std::string>{});
  if (std::erase(sweep.counters, "none") > 0 && !sweep.counters.empty())
    throw UsageError(fmt::format(
        "{}: /counters: \"none\" and \"{}\" contradict each other; give none alone, or without it", source,
        sweep.counters.front()));
  for (std::size_t i = 0; i < json["cases"].size(); ++i) {
    const Json& entry = json["cases"][i];
    CaseGroup group{.variants = entry.at("variants"),
                    .workers = entry.value("workers", std::vector<std::string>{}),
                    .axes = {},
                    .conditions = {},
                    .pointer = fmt::format("{}: /cases/{}", source, i)};
    for (const std::string text : entry.value("where", Json::array()))
      group.conditions.emplace_back(text, fmt::format("{}/where/{}", group.pointer, group.conditions.size()));
    std::vector<std::string> seen;
    const Json axes = entry.value("axes", Json::object());
    for (const auto& [key, value] : axes.items()) {
      const std::string where = fmt::format("{}/axes/{}", group.pointer, key);
      group.axes.push_back(axis_values(key, value, where));
      for (const auto& name : group.axes.back().names) {
        if (name.empty())
          throw UsageError(
              fmt::format("{}: expected the name of an axis, or of tied axes such as \"M,N\", got \"{}\"",
                          group.pointer + "/axes", key));
        if (std::find(seen.begin(), seen.end(), name) != seen.end())
          throw UsageError(
              fmt::format("{}: the axis \"{}\" is there twice in this case; keep one", where, name));
        seen.push_back(name);
      }
    }
    sweep.cases.push_back(std::move(group));
  }
  sweep.document = SweepDocument(std::move(json));
  return sweep;
}

Sweep sweep_without_cases(const Json& schema, const std::string& source, const SweepOverrides& overrides) {
  Json rules = schema;
  rules.at("properties").at("cases").erase("minItems");
  return sweep_from({{"name", "run"}, {"cases", Json::array()}}, rules, source, overrides);
}

void add_cases(Sweep& sweep, const std::vector<CaseGroup>& groups) {
  Json json = sweep.document.json();
  for (const auto& group : groups) json["cases"].push_back(json_of(group));
  sweep.document = SweepDocument(std::move(json));
  sweep.cases.insert(sweep.cases.end(), groups.begin(), groups.end());
}

Sweep made_sweep(Sweep sweep, const std::string& source, const std::string& about) {
  sweep.source = source;
  Json json{{"name", sweep.name}};
  if (!about.empty()) json["about"] = about;
  json["measure"] = {{"rounds", sweep.measure.rounds},
                     {"min_samples", sweep.measure.min_samples},
                     {"max_noise", fmt::format("{:g}%", 100 * sweep.measure.max_noise)},
                     {"max_time", fmt::format("{:g}ms", 1000 * sweep.measure.max_time)}};
  if (!sweep.counters.empty()) json["counters"] = sweep.counters;
  json["cases"] = Json::array();
  for (auto& group : sweep.cases) {
    group.pointer = fmt::format("{}: /cases/{}", source, json["cases"].size());
    json["cases"].push_back(json_of(group));
  }
  if (!sweep.workers.empty()) json["workers"] = sweep.workers;
  sweep.document = SweepDocument(std::move(json));
  return sweep;
}

Json sweep_json(const std::vector<std::string>& variants) {
  return {{"name", "run"}, {"cases", {{{"variants", variants}, {"axes", Json::object()}}}}};
}

void validate(const Json& document, const Json& schema, const std::string& name) {
  if (const auto wrong = Rules(schema).validate(document))
    throw UsageError(fmt::format("{}: {}", name, wrong->text));
}

}  // namespace uotbench
