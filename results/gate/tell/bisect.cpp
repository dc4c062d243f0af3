// A bisection as JSON.
#include "results/base/json_parts.hpp"
#include "results/gate/tell/formats.hpp"

namespace uotbench {
namespace {

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

}  // namespace uotbench
