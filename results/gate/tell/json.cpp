// A gate's report as JSON: what other programs read, and from which the other outputs can be made again.
#include "results/base/json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/gate/gate.hpp"
#include "results/gate/tell/formats.hpp"

namespace uotbench {
namespace {

constexpr int gate_schema = 1;

Json json_of(const CounterVerdict& counter) {
  return {{"name", counter.name},
          {"source", counter.source},
          {"unit", counter.unit},
          {"baseline", counter.baseline},
          {"candidate", counter.candidate},
          {"tolerance", counter.tolerance},
          {"verdict", name_of(counter.verdict)}};
}

Json json_of(const GateObstacle& obstacle) {
  return {{"exit_code", obstacle.exit_code}, {"reason", obstacle.reason}, {"said", obstacle.said}};
}

Json json_of(const GateCommits& commits) { return {{"count", commits.count}, {"newest", commits.newest}}; }

Json json_of(const GateArm& arm) {
  Json json{{"about", arm.about}, {"build", arm.build.json()}};
  if (!arm.commit.empty()) json["commit"] = arm.commit;
  if (!arm.why.empty()) json["why"] = arm.why;
  return json;
}

/// An object of a report, whose keys are asked for one by one.
class ReportReader {
 public:
  ReportReader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) fail("", json, "an object");
  }

  /// Whether it is there, and not null.
  bool has(const char* key) const { return json_.contains(key) && !json_.at(key).is_null(); }
  std::string text(const char* key) const {
    const Json& value = at(key);
    if (!value.is_string()) fail(key, value, "a text");
    return value.get<std::string>();
  }
  double number(const char* key) const {
    const Json& value = at(key);
    if (!value.is_number()) fail(key, value, "a number");
    return value.get<double>();
  }
  std::size_t count(const char* key) const {
    const Json& value = at(key);
    if (!value.is_number_integer() || value < 0) fail(key, value, "a whole number from 0");
    return value.get<std::size_t>();
  }
  bool truth(const char* key) const {
    const Json& value = at(key);
    if (!value.is_boolean()) fail(key, value, "true or false");
    return value.get<bool>();
  }
  Verdict verdict(const char* key) const {
    const std::string name = text(key);
    try {
      return verdict_from(name);
    } catch (const Error&) {
      fail(key, at(key), "a verdict");
    }
  }
  const Json& list(const char* key) const {
    const Json& value = at(key);
    if (!value.is_array()) fail(key, value, "a list");
    return value;
  }
  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> all;
    for (const Json& one : list(key)) {
      if (!one.is_string()) fail(key, one, "texts");
      all.push_back(one.get<std::string>());
    }
    return all;
  }
  const Json& at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) throw Error(fmt::format("not a gate's report: {}/{} is missing", where_, key));
    return *found;
  }
  ReportReader object(const char* key) const { return ReportReader(at(key), where_ + '/' + key); }
  bool null(const char* key) const { return at(key).is_null(); }
  std::optional<double> number_or_null(const char* key) const {
    return null(key) ? std::nullopt : std::optional(number(key));
  }
  std::optional<std::string> text_or_null(const char* key) const {
    return null(key) ? std::nullopt : std::optional(text(key));
  }

 private:
  [[noreturn]] void fail(const std::string& key, const Json& found, const char* accepted) const {
    std::string text = to_line(found);
    if (text.size() > 60) text = text.substr(0, 60) + "...";
    throw Error(fmt::format("not a gate's report: {}{}{}: expected {}, got {}", where_,
                            key.empty() && !where_.empty() ? "" : "/", key, accepted, text));
  }

  const Json& json_;
  std::string where_;
};

TimeVerdict time_from(const ReportReader& json) {
  TimeVerdict time{.verdict = json.verdict("verdict"),
                   .reason = json.text("reason"),
                   .ratio = json.number_or_null("ratio").value_or(0),
                   .interval = {},
                   .noise = json.number_or_null("noise"),
                   .detectable = json.number_or_null("detectable"),
                   .pairs = json.count("pairs"),
                   .confirming = json.count("confirming"),
                   .p = json.number_or_null("p")};
  if (!json.null("interval")) {
    const ReportReader interval = json.object("interval");
    time.interval = ConfidenceInterval{.low = interval.number("low"),
                                       .high = interval.number("high"),
                                       .coverage = interval.number("coverage")};
  }
  return time;
}

CounterVerdict counter_from(const ReportReader& json) {
  return {.name = json.text("name"),
          .source = json.text("source"),
          .unit = json.text("unit"),
          .baseline = json.number("baseline"),
          .candidate = json.number("candidate"),
          .tolerance = json.number("tolerance"),
          .verdict = json.verdict("verdict")};
}

GateCase case_from(const ReportReader& json, const std::string& where) {
  GateCase one{.id = json.text("id"),
               .verdict = json.verdict("verdict"),
               .reason = json.text("reason"),
               .baseline_seconds = json.number_or_null("baseline_seconds"),
               .candidate_seconds = json.number_or_null("candidate_seconds"),
               .time = {},
               .counters = {},
               .accepted = json.text_or_null("accepted"),
               .same_code = json.truth("same_code")};
  if (!json.null("time")) one.time = time_from(json.object("time"));
  const Json& counters = json.list("counters");
  for (std::size_t i = 0; i < counters.size(); ++i)
    one.counters.push_back(counter_from(ReportReader(counters[i], fmt::format("{}/counters/{}", where, i))));
  return one;
}

/// Parts that reports of the same schema had not from the start.
void read_later_parts(const ReportReader& reader, GateReport& report) {
  if (reader.has("obstacle")) {
    const ReportReader obstacle = reader.object("obstacle");
    report.obstacle.emplace();
    report.obstacle->exit_code = static_cast<int>(obstacle.count("exit_code"));
    report.obstacle->reason = obstacle.text("reason");
    report.obstacle->said = obstacle.texts("said");
  }
  if (reader.has("undecided")) report.undecided = reader.text("undecided");
  if (reader.has("commits")) {
    const ReportReader commits = reader.object("commits");
    report.commits.emplace();
    report.commits->count = commits.count("count");
    report.commits->newest = commits.texts("newest");
  }
  if (reader.has("changed_code")) report.changed_code = reader.texts("changed_code");
}

// A bisection as JSON.

constexpr int bisect_schema = 1;

Json json_of(const CommitFacts& commit) {
  return {
      {"commit", commit.hash}, {"author", commit.author}, {"date", commit.date}, {"subject", commit.subject}};
}

Json json_of(const BisectStep& step) {
  Json json = json_of(step.commit);
  json["answer"] = name_of(step.answer);
  json["reason"] = step.reason;
  json["time"] = step.time ? to_json(*step.time) : Json(nullptr);
  json["run"] = step.run;
  return json;
}

Json json_of(const PlaceChange& place) {
  return {{"at", place.at}, {"text", place.text}, {"before", place.before}, {"after", place.after}};
}

template <class Parts>
Json list_of(const Parts& parts) {
  Json list = Json::array();
  for (const auto& part : parts) list.push_back(json_of(part));
  return list;
}

}  // namespace

Json to_json(const TimeVerdict& time) {
  const auto& interval = time.interval;
  return {{"verdict", name_of(time.verdict)},
          {"reason", time.reason},
          {"ratio", time.ratio > 0 ? Json(time.ratio) : Json(nullptr)},
          {"interval",
           interval ? Json{{"low", interval->low}, {"high", interval->high}, {"coverage", interval->coverage}}
                    : Json(nullptr)},
          {"noise", or_null(time.noise)},
          {"detectable", or_null(time.detectable)},
          {"pairs", time.pairs},
          {"confirming", time.confirming},
          {"p", or_null(time.p)}};
}

Json to_json(const GateCase& one) {
  Json counters = Json::array();
  for (const auto& counter : one.counters) counters.push_back(json_of(counter));
  return {{"id", one.id},
          {"verdict", name_of(one.verdict)},
          {"reason", one.reason},
          {"baseline_seconds", or_null(one.baseline_seconds)},
          {"candidate_seconds", or_null(one.candidate_seconds)},
          {"time", one.time ? to_json(*one.time) : Json(nullptr)},
          {"counters", counters},
          {"accepted", or_null(one.accepted)},
          {"same_code", one.same_code}};
}

Json to_json(const GateReport& report) {
  Json cases = Json::array(), counts = Json::object();
  for (const auto& [verdict, count] : counts_of(report)) counts[name_of(verdict)] = count;
  for (const auto& one : report.cases) cases.push_back(to_json(one));
  return {{"kind", "gate"},
          {"schema", gate_schema},
          {"headline", headline_of(report)},
          {"counts", counts},
          {"sweep", report.sweep},
          {"started", report.started},
          {"run", report.run},
          {"elapsed", report.elapsed},
          {"interrupted", report.interrupted},
          {"baseline", json_of(report.baseline)},
          {"candidate", json_of(report.candidate)},
          {"machine", report.machine.json()},
          {"options", report.options.is_null() ? Json::object() : report.options.json()},
          {"control", or_null(report.control)},
          {"warnings", report.warnings},
          {"notes", report.notes},
          {"obstacle", report.obstacle ? json_of(*report.obstacle) : Json(nullptr)},
          {"undecided", or_null(report.undecided)},
          {"commits", report.commits ? json_of(*report.commits) : Json(nullptr)},
          {"changed_code", report.changed_code},
          {"cases", cases}};
}

GateReport gate_report_from(const Json& json) {
  const ReportReader reader(json, "");
  if (reader.text("kind") != "gate")
    throw Error(
        fmt::format("not a gate's report: /kind: expected \"gate\", got {}", to_line(json.at("kind"))));
  if (const auto schema = reader.count("schema"); schema > gate_schema)
    throw Error(fmt::format("not a gate's report of this uotbench: /schema: expected at most {}, got {}",
                            gate_schema, schema));
  const auto arm = [&](const char* name) {
    const ReportReader one = reader.object(name);
    return GateArm{.about = one.text("about"),
                   .build = one.at("build"),
                   .commit = one.has("commit") ? one.text("commit") : "",
                   .why = one.has("why") ? one.text("why") : ""};
  };
  GateReport report{.sweep = reader.text("sweep"),
                    .started = reader.text("started"),
                    .run = reader.text("run"),
                    .baseline = arm("baseline"),
                    .candidate = arm("candidate"),
                    .machine = reader.at("machine"),
                    .options = reader.at("options"),
                    .cases = {},
                    .control = reader.text_or_null("control"),
                    .warnings = reader.texts("warnings"),
                    .notes = reader.texts("notes"),
                    .elapsed = reader.number("elapsed"),
                    .interrupted = reader.truth("interrupted")};
  read_later_parts(reader, report);
  const Json& cases = reader.list("cases");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string where = fmt::format("/cases/{}", i);
    report.cases.push_back(case_from(ReportReader(cases[i], where), where));
  }
  return report;
}

Json to_json(const BisectReport& report) {
  return {{"kind", "bisect"},
          {"schema", bisect_schema},
          {"finding", name_of(report.finding)},
          {"reason", report.reason},
          {"exit_code", report.exit_code},
          {"case", report.case_id},
          {"good", json_of(report.good)},
          {"bad", json_of(report.bad)},
          {"delta", report.delta},
          {"counters_alone", report.counters_alone},
          {"commits", report.commits},
          {"first", to_json(report.first)},
          {"steps", list_of(report.steps)},
          {"suspects", list_of(report.suspects)},
          {"before", report.before ? json_of(*report.before) : Json(nullptr)},
          {"effect", report.effect ? to_json(*report.effect) : Json(nullptr)},
          {"functions", list_of(report.functions)},
          {"no_functions", report.no_functions},
          {"lines", list_of(report.lines)},
          {"no_lines", report.no_lines},
          {"warnings", report.warnings},
          {"command", report.command},
          {"elapsed", report.elapsed}};
}

std::string text_of(const GateTrace& trace) {
  std::string text = fmt::format("{{\"about\": {},\n \"recorded\": {},\n \"machine\": {},\n \"cases\": {{",
                                 json_text(trace.about), json_text(trace.recorded), trace.machine.line());
  for (const auto& one : trace.cases) {
    text +=
        fmt::format("{}\n  {}: {{\"seconds\": [", &one == &trace.cases.front() ? "" : ",", json_text(one.id));
    for (std::size_t i = 0; i < one.seconds.size(); ++i)
      text += fmt::format("{}{:.5g}", i ? "," : "", one.seconds[i]);
    text += "]}";
  }
  return text + "\n }\n}\n";
}

}  // namespace uotbench
