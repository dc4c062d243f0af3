#include "results/record/run_file/case_line.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/record.hpp"
#include "results/record/run_file/run_schema.hpp"

namespace uotbench {
namespace {

Status status_in(const Json& json) {
  const std::string name = json.at("status");
  return name == not_verified ? Status::ok : status_from(name);
}

}  // namespace

Record record_from(Json json) try {
  Record record{.id = json.at("id"),
                .variant = json.at("variant"),
                .worker = json.at("worker"),
                .arm = arm_of(json.at("id")),
                .status = status_in(json),
                .has_oracle = json.value("oracle", true) && json.at("status") != not_verified,
                .reason = optional_from<std::string>(json, "reason"),
                .repeat = optional_from<std::string>(json, "repeat"),
                .machine = optional_from<std::string>(json, "machine"),
                .input_files = json.value("input_files", InputContents{}),
                .check = {},
                .time = {},
                .work = {},
                .counters = counters_from(json.value("counters", Json::object()))};
  if (!json.at("point").is_object()) throw Error("not a case record: its point is no object");
  const auto present = [&](const char* key) { return json.contains(key) && !json.at(key).is_null(); };
  if (present("check")) record.check = check_from(json.at("check"));
  if (present("time")) record.time = timing_from(json.at("time"));
  if (record.time) require_sound(*record.time);
  if (present("work")) record.work = work_from(json.at("work"));
  if (present("reach")) record.reach = reach_from(json.at("reach"));
  for (const auto& reach : record.reach) {
    require_sound(reach.samples);
    if (reach.reason.empty() && reach.samples.empty())
      throw Error("not a case record: a target is reached in no time");
  }
  record.point = std::move(json.at("point"));  // nothing that throws comes after it
  if (const auto env = json.find("env"); env != json.end()) record.env = CaseFacts(std::move(*env));
  return record;
} catch (const Json::Exception& error) {
  const std::string wrong = line_violation("case", json);
  throw Error(fmt::format("not a case record: {}", wrong.empty() ? std::string(error.what()) : wrong));
}

}  // namespace uotbench
