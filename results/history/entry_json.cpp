#include <fmt/format.h>

#include "results/base/error.hpp"
#include "results/base/json_parts.hpp"
#include "results/base/plain_json.hpp"
#include "results/base/shape.hpp"
#include "results/history/build_text.hpp"
#include "results/history/entry.hpp"

namespace uotbench {
namespace {

Json json_of_case(const HistoryCase& one) {
  Json json{{"kind", "case"}, {"id", one.id}};
  if (one.seconds) {
    json["per"] = one.per;
    json["seconds"] = *one.seconds;
    json["low"] = *one.low;
    json["high"] = *one.high;
    json["processes"] = one.processes;
  }
  if (!one.inputs.empty()) json["inputs"] = one.inputs;
  for (const auto& count : one.counts)
    json["counts"].push_back({{"name", count.name},
                              {"source", count.source},
                              {"unit", count.unit},
                              {"of", count.of},
                              {"value", count.value}});
  return json;
}

HistoryCase case_from_json(const Json& json) {
  HistoryCase one{.id = json.at("id").get<std::string>()};
  if (const auto seconds = optional_from<double>(json, "seconds")) {
    if (!(*seconds > 0)) throw Error(fmt::format("{} took {} s", one.id, *seconds));
    one.seconds = seconds;
    one.per = json.at("per").get<std::string>();
    one.low = json.at("low").get<double>();
    one.high = json.at("high").get<double>();
    one.processes = json.at("processes").get<std::size_t>();
  }
  one.inputs = text_in(json, "inputs");
  if (const auto counts = json.find("counts"); counts != json.end())
    for (const auto& count : *counts)
      one.counts.push_back({count.at("name").get<std::string>(), count.at("source").get<std::string>(),
                            count.at("unit").get<std::string>(), count.at("of").get<std::string>(),
                            count.at("value").get<double>()});
  return one;
}

Json parse_history_line(std::string_view line) {
  if (auto plain = parse_plain(line)) return *std::move(plain);
  return parse_visible(line);
}

void take_head(const Json& json, HistoryEntry& entry) {
  if (text_in(json, "kind") != "history") throw Error("no file of a history");
  const int schema = json.at("schema").get<int>();
  if (schema > history_schema)
    throw Error(fmt::format("of a newer uotbench (schema {}; this one reads {}): update this one", schema,
                            history_schema));
  entry.commit.hash = json.at("commit").get<std::string>();
  entry.commit.time = json.at("committed").get<std::int64_t>();
  entry.commit.subject = text_in(json, "subject");
  entry.commit.position = optional_from<std::size_t>(json, "position");
  entry.commit.time_of_run = value_in(json, "time_of_run") == true;
  for (const auto& line : value_in(json, "accepted"))
    entry.commit.accepted.push_back(
        {.what = text_in(line, "what"), .reason = text_in(line, "reason"), .by = text_in(line, "by")});
  entry.machine = json.at("machine").at("fingerprint").get<std::string>();
  entry.cpu = text_in(json.at("machine"), "cpu");
  for (const auto& [worker, build] : json.at("builds").items())
    entry.builds[worker] = without_folders(build.get<std::string>());
  entry.sweep = text_in(json, "sweep");
  entry.started = text_in(json, "started");
}

/// As text_of() begins, and cut off in its first line.
bool is_begun(std::string_view text) { return text.starts_with(R"({"kind":"history",)"); }

}  // namespace

std::string text_of(const HistoryEntry& entry) {
  Json head{{"kind", "history"},
            {"schema", history_schema},
            {"commit", entry.commit.hash},
            {"committed", entry.commit.time},
            {"subject", entry.commit.subject},
            {"accepted", Json::array()},
            {"machine", {{"fingerprint", entry.machine}, {"cpu", entry.cpu}}},
            {"builds", Json::object()},
            {"sweep", entry.sweep},
            {"started", entry.started}};
  if (entry.commit.position) head["position"] = *entry.commit.position;
  if (entry.commit.time_of_run) head["time_of_run"] = true;
  for (const auto& accepted : entry.commit.accepted)
    head["accepted"].push_back({{"what", accepted.what}, {"reason", accepted.reason}, {"by", accepted.by}});
  for (const auto& [worker, build] : entry.builds) head["builds"][worker] = build;
  std::string text = to_line(head) + '\n';
  for (const auto& one : entry.cases) text += to_line(json_of_case(one)) + '\n';
  return text + to_line({{"kind", "end"}, {"cases", entry.cases.size()}}) + '\n';
}

HistoryEntry entry_from(const std::string& text) try {
  HistoryEntry entry;
  bool begun = false, ended = false;
  for (std::string_view left = text; !left.empty();) {
    const auto end = left.find('\n');
    if (end == std::string_view::npos)
      throw Error(begun || is_begun(text) ? "torn: its last line has no end" : "no file of a history");
    const Json json = parse_history_line(left.substr(0, end));
    left.remove_prefix(end + 1);
    const std::string kind = text_in(json, "kind");
    if (!begun)
      take_head(json, entry);
    else if (kind == "case" && !ended)
      entry.cases.push_back(case_from_json(json));
    else if (kind == "end" && json.at("cases").get<std::size_t>() == entry.cases.size())
      ended = true;
    else if (kind.empty() || kind == "end" || kind == "history")
      throw Error("damaged: it holds lines that belong to no such file");
    begun = true;
  }
  if (!begun) throw Error("empty");
  if (!ended) throw Error("torn: its end is missing");
  return entry;
} catch (const Json::exception& error) {
  throw Error("damaged: " + plain_words(error));
}

}  // namespace uotbench
