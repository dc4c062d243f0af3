#include "results/base/json.hpp"

#include "results/base/json_parts.hpp"
#include "results/history/history.hpp"

namespace uotbench {
namespace {

Json json_of_point(const History& history, const HistoryPoint& point) {
  return {{"commit", history.commits[point.commit].hash},
          {"value", point.value},
          {"low", point.low},
          {"high", point.high}};
}

Json json_of_step(const History& history, const HistoryLine& line, const HistoryStep& step) {
  Json json{{"of", step.of},
            {"unit", step.unit},
            {"good", history.commits[step.good].hash},
            {"bad", history.commits[step.bad].hash},
            {"surely_good", history.commits[step.surely_good].hash},
            {"surely_bad", history.commits[step.surely_bad].hash},
            {"before", step.before},
            {"after", step.after},
            {"ratio", step.ratio != 0 ? Json(step.ratio) : Json()},
            {"interval", Json()},
            {"accepted", or_null(step.accepted)},
            {"next", step.slower() ? Json(bisect_command(history, line, step)) : Json()}};
  if (step.interval)
    json["interval"] = {
        {"low", step.interval->low}, {"high", step.interval->high}, {"coverage", step.interval->coverage}};
  return json;
}

}  // namespace

Json json_of(const History& history) {
  Json json{{"commits", Json::array()}, {"lines", Json::array()}};
  for (const auto& commit : history.commits)
    json["commits"].push_back({{"hash", commit.hash}, {"time", commit.time}, {"subject", commit.subject}});
  for (const auto& line : history.lines) {
    Json its{{"case", line.id},       {"per", line.per},         {"machine", line.machine},
             {"build", line.build},   {"points", Json::array()}, {"counts", Json::array()},
             {"steps", Json::array()}};
    if (!line.inputs.empty()) its["inputs"] = line.inputs;
    for (const auto& point : line.points) its["points"].push_back(json_of_point(history, point));
    for (const auto& count : line.counts) {
      Json values = Json::array();
      for (const auto& point : count.points)
        values.push_back({{"commit", history.commits[point.commit].hash}, {"value", point.value}});
      its["counts"].push_back({{"name", count.what.name},
                               {"source", count.what.source},
                               {"unit", count.what.unit},
                               {"points", values}});
    }
    for (const auto& step : line.steps) its["steps"].push_back(json_of_step(history, line, step));
    json["lines"].push_back(std::move(its));
  }
  json["warnings"] = history.warnings;
  json["notes"] = history.notes;
  return json;
}

}  // namespace uotbench
