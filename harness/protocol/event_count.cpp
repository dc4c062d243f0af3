#include "harness/protocol/event_count.hpp"

#include <fmt/format.h>

#include <cmath>

#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {

Json to_json(const EventCount& count) {
  Json json{{"value", count.value ? Json(*count.value) : Json(nullptr)},
            {"kind", count.simulated ? "simulated"
                     : count.exact   ? "exact"
                                     : "measured"}};
  if (!count.value) json["reason"] = count.reason;
  if (count.per) json["per"] = name_of(*count.per);
  if (count.running < 1) json["running"] = count.running;
  if (count.socket_wide) json["socket_wide"] = true;
  if (!count.note.empty()) json["note"] = count.note;
  for (const auto& line : count.lines) json["lines"].push_back({{"at", line.at}, {"value", line.value}});
  return json;
}

EventCount event_count_from(const Json& said) try {
  constexpr std::size_t longest = 500, most_lines = 1000;
  if (!said.is_object()) throw Error("no object with a value");
  const auto text = [&](const char* key) {
    const Json told = said.value(key, Json());
    if (!told.is_string() && !told.is_null()) throw Error(fmt::format("{} is no text", key));
    return told.is_string() ? on_one_line(told.get<std::string>().substr(0, longest)) : "";
  };
  EventCount count{.reason = text("reason"),
                   .note = text("note"),
                   .simulated = text("kind") == "simulated",
                   .exact = text("kind") == "exact"};
  if (const std::string per = text("per"); !said.value("per", Json()).is_null()) {
    count.per = unit_from(per);
    if (!count.per) throw Error(fmt::format("it is per {}, which is no unit", per));
  }
  const Json value = said.value("value", Json()), running = said.value("running", Json());
  if (value.is_null()) {
    if (!said.value("reason", Json()).is_string()) count.reason = "the worker gave no value, and no reason";
    return count;
  }
  if (!value.is_number() || !(value.get<double>() >= 0) || !std::isfinite(value.get<double>()))
    throw Error("its value is no count");
  count.value = value.get<double>();
  if (!running.is_null()) {
    if (!running.is_number() || !(running.get<double>() > 0 && running.get<double>() <= 1))
      throw Error("running is no share of the time");
    count.running = running.get<double>();
  }
  count.socket_wide = said.value("socket_wide", Json()) == true;
  const Json lines = said.value("lines", Json::array());
  if (!lines.is_array()) throw Error("lines is no list");
  for (const Json& line : lines) {
    const Json at = line.is_object() ? line.value("at", Json()) : Json();
    const Json part = line.is_object() ? line.value("value", Json()) : Json();
    if (!at.is_string() || !part.is_number()) throw Error("a line is no object with at and value");
    if (count.lines.size() < most_lines) count.lines.push_back({at.get<std::string>(), part.get<double>()});
  }
  return count;
} catch (const Error& error) {
  return {.reason = std::string("the worker answered wrongly: ") + error.what()};
}

EventCounts event_counts_from(const Json& record) {
  EventCounts counts;
  const Json& told = record.at("counts");
  if (!told.is_object()) return counts;
  const Json per = record.value("per", Json());
  for (const auto& [event, said] : told.items()) {
    Json one = said;
    if (one.is_object() && per.is_string() && !one.contains("per")) one["per"] = per;
    counts[event] = event_count_from(one);
  }
  return counts;
}

Json to_json(const SourcesRequest& request) {
  return {{"type", "sources"}, {"events", request.events.empty() ? Json::object() : Json(request.events)}};
}

SourcesRequest sources_request_from(const Json& json) {
  return {.events = json.value("events", decltype(SourcesRequest::events)())};
}

Json to_json(const SourcesReply& reply) {
  Json list = Json::array();
  for (const auto& source : reply.sources)
    list.push_back({{"name", source.name},
                    {"simulated", source.simulated},
                    {"reason", or_null(source.reason)},
                    {"mend", or_null(source.mend)},
                    {"unknown", source.unknown.empty() ? Json::object() : Json(source.unknown)}});
  return {{"type", "sources"}, {"sources", std::move(list)}};
}

SourcesReply sources_reply_from(const Json& json) {
  SourcesReply reply;
  for (const auto& one : json.at("sources"))
    reply.sources.push_back({.name = one.at("name"),
                             .simulated = one.value("simulated", true),
                             .reason = optional_from<std::string>(one, "reason"),
                             .mend = optional_from<std::string>(one, "mend"),
                             .unknown = one.value("unknown", decltype(SourceReply::unknown)())});
  return reply;
}

}  // namespace uotbench
