// Descriptions of families and variants, and counts of events, as JSON: what workers answer.
#include <fmt/format.h>

#include <cmath>

#include "harness/protocol/messages.hpp"
#include "harness/protocol/point_json.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

std::vector<Axis> axes_from(const Json& list, Describes whose) {
  std::vector<Axis> axes;
  for (const auto& axis : list) axes.push_back(axis_from(axis, whose));
  return axes;
}

std::optional<Measures> measures_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return Measures{.rate = json.at("rate"), .arrays = json.value("arrays", 0)};
}

FamilyInfo family_from(const Json& json) {
  FamilyInfo family;
  family.name = json.at("name");
  family.summary = text_in(json, "summary");
  family.axes = axes_from(json.at("axes"), Describes::family);
  family.iterations = json.value("iterations", family.iterations);
  for (const auto& point : json.value("checked", Json::array())) family.checked.emplace_back(point);
  family.loosest = json.value("loosest", family.loosest);
  family.memoryless = json.value("memoryless", false);
  family.mathematics = json.value("mathematics", std::vector<std::string>{});
  for (const auto& array : json.value("arrays", Json::array()))
    family.arrays.push_back({.name = array.at("name"),
                             .shape = array.at("shape"),
                             .type = array.at("type"),
                             .about = text_in(array, "about"),
                             .output = array.value("output", false)});
  return family;
}

FamilyInfo own_family_from(const Json& json) {
  FamilyInfo family;
  family.name = json.at("name");
  family.summary = text_in(json, "summary");
  family.iterations = 1;
  family.oracle = false;
  return family;
}

VariantInfo variant_from(const Json& json) {
  VariantInfo variant;
  variant.name = json.at("name");
  variant.summary = text_in(json, "summary");
  variant.axes = axes_from(value_in(json, "axes"), Describes::variant);
  variant.tolerance = optional_from<double>(json, "tolerance");
  variant.code = text_in(json, "code");
  variant.kernels = value_in(json, "kernels");
  for (const auto& point : value_in(json, "points")) variant.points.emplace_back(point);
  variant.measures = measures_from(value_in(json, "measures"));
  return variant;
}

}  // namespace

DescribedReply described_reply_from(const Json& json) {
  DescribedReply reply;
  for (const auto& own : value_in(json, "families")) reply.families.push_back(own_family_from(own));
  for (const auto& one : json.at("variants")) {
    VariantEntry& entry = reply.variants.emplace_back();
    entry.has_summary = one.contains("summary");
    try {
      entry.variant = variant_from(one);
    } catch (const Error& error) {
      entry.variant.name = one.at("name");
      entry.contradiction = error.what();
    }
  }
  return reply;
}

std::vector<FamilyInfo> families_from(const Json& json) {
  std::vector<FamilyInfo> families;
  for (const auto& one : json.at("families")) families.push_back(family_from(one));
  return families;
}

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
