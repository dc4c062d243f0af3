#include "results/record/counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/json.hpp"

namespace uotbench {

const Counters::Entry* Counters::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::name);
  return found == entries_.end() ? nullptr : &*found;
}

Counter& Counters::operator[](std::string_view name) {
  auto found = std::ranges::find(entries_, name, &Entry::name);
  if (found == entries_.end())
    found = entries_.insert(found, {.name = std::string(name), .counter = {}, .as_read = {}});
  found->as_read = {};
  if (!found->counter) found->counter.emplace();
  return *found->counter;
}

Json to_json(const Counter& counter) {
  const CounterOrigin& origin = counter.origin;
  Json json{{"value", counter.value ? Json(*counter.value) : Json(nullptr)},
            {"reason", counter.value ? Json(nullptr) : Json(counter.reason)},
            {"source", origin.source},
            {"kind", counter.value ? Json(origin.kind) : Json(nullptr)},
            {"per", name_of(counter.per)},
            {"unit", counter.unit}};
  if (!origin.worker.empty()) json["worker"] = origin.worker;
  if (origin.running) json["running"] = *origin.running;
  if (origin.socket_wide) json["socket_wide"] = true;
  if (!counter.from.empty()) json["from"] = counter.from;
  if (!counter.note.empty()) json["note"] = counter.note;
  for (const auto& line : counter.lines) json["lines"].push_back({{"at", line.at}, {"value", line.value}});
  return json;
}

std::optional<Counter> counter_from(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto text = [&](const char* key, const char* otherwise) {
    const auto value = json.find(key);
    const bool told = value != json.end() && value->is_string() && !value->text().empty();
    return told ? value->get<std::string>() : std::string(otherwise);
  };
  const auto number = [](const Json& holder, const char* key) {
    const auto value = holder.find(key);
    return value != holder.end() && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
  };
  const std::string per = text("per", name_of(Unit::iteration));
  const auto unit = unit_from(per);
  Counter counter{.value = number(json, "value"),
                  .reason = text("reason", "no reason given"),
                  .origin = {.source = text("source", "unknown source"),
                             .kind = text("kind", "measured"),
                             .worker = text("worker", ""),
                             .running = number(json, "running"),
                             .socket_wide = json.value("socket_wide", Json()) == true},
                  .unit = text("unit", "1"),
                  .per = unit.value_or(Unit::iteration),
                  .from = text("from", ""),
                  .note = text("note", "")};
  if (counter.value && !(*counter.value >= 0 && std::isfinite(*counter.value))) {
    counter.reason = fmt::format("the record has {}, which is no count", *counter.value);
    counter.value.reset();
  }
  if (counter.value && !unit) {
    counter.reason = fmt::format("it is per {}, which is no unit", per);
    counter.value.reset();
  }
  if (counter.value) counter.reason.clear();
  const Json lines = json.value("lines", Json());
  if (lines.is_array())
    for (const auto& line : lines) {
      if (!line.is_object() || !line.value("at", Json()).is_string()) continue;
      if (const auto value = number(line, "value"))
        counter.lines.push_back({.at = line["at"].get<std::string>(), .value = *value});
    }
  return counter;
}

Json to_json(const Counters& counters) {
  Json json = Json::object();
  for (const auto& entry : counters)
    json[entry.name] =
        entry.as_read.is_null() && entry.counter ? to_json(*entry.counter) : entry.as_read.json();
  return json;
}

Counters counters_from(const Json& json) {
  Counters counters;
  if (!json.is_object()) return counters;
  for (const auto& [name, told] : json.items()) {
    Counters::Entry entry{.name = name, .counter = counter_from(told), .as_read = {}};
    // As text: 5 and 5.0 are equal, and not the same line of a file.
    if (!entry.counter || to_line(to_json(*entry.counter)) != to_line(told)) entry.as_read = Document(told);
    counters.entries_.push_back(std::move(entry));
  }
  return counters;
}

}  // namespace uotbench
