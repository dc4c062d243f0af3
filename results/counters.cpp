#include "results/counters.hpp"

namespace uotbench {

Json to_json(const Counter& counter) {
  const CounterOrigin& origin = counter.origin;
  Json json{{"value", counter.value ? Json(*counter.value) : Json(nullptr)},
            {"reason", counter.value ? Json(nullptr) : Json(counter.reason)},
            {"source", origin.source},
            {"kind", origin.kind},
            {"per", counter.per},
            {"unit", counter.unit}};
  if (!origin.worker.empty()) json["worker"] = origin.worker;
  if (origin.running) json["running"] = *origin.running;
  if (origin.socket_wide) json["socket_wide"] = true;
  if (!counter.from.empty()) json["from"] = counter.from;
  if (!counter.note.empty()) json["note"] = counter.note;
  for (const auto& line : counter.lines) json["lines"].push_back({{"at", line.at}, {"value", line.value}});
  return json;
}

std::optional<Counter> counter_of(const Record& record, const std::string& name) try {
  if (!record.counters.is_object()) return std::nullopt;
  const auto found = record.counters.find(name);
  if (found == record.counters.end() || !found->is_object()) return std::nullopt;
  const Json& json = *found;
  const auto text = [&](const char* key, const char* otherwise) {
    const Json value = json.value(key, Json());
    return value.is_string() ? value.get<std::string>() : std::string(otherwise);
  };
  const Json value = json.value("value", Json()), running = json.value("running", Json());
  Counter counter{
      .value = value.is_number() ? std::optional(value.get<double>()) : std::nullopt,
      .reason = text("reason", ""),
      .origin = {.source = text("source", "unknown"),
                 .kind = text("kind", "measured"),
                 .worker = text("worker", ""),
                 .running = running.is_number() ? std::optional(running.get<double>()) : std::nullopt,
                 .socket_wide = json.value("socket_wide", Json()) == true},
      .unit = text("unit", "1"),
      .per = text("per", "iteration"),
      .from = text("from", ""),
      .note = text("note", "")};
  for (const auto& line : json.value("lines", Json::array()))
    counter.lines.push_back({.at = line.at("at"), .value = line.at("value")});
  return counter;
} catch (const Json::exception&) {
  return std::nullopt;
}

std::optional<double> counted(const Record& record, const std::string& name) {
  const auto counter = counter_of(record, name);
  return counter ? counter->value : std::nullopt;
}

}  // namespace uotbench
