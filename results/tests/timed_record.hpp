// Records of cases that were timed, as views and comparisons need them.
#pragma once

#include <string>
#include <vector>

#include "results/base/json.hpp"
#include "results/base/value_json.hpp"
#include "results/record/record.hpp"

namespace uotbench {

/// One sample a round; its id names every axis.
inline Record timed_record(const std::string& variant, const Json& point, const std::string& worker,
                           const std::vector<double>& rounds) {
  Record record;
  record.variant = variant;
  record.worker = worker;
  record.point = point;
  record.id = variant;
  for (const auto& [axis, value] : point.items()) record.id += '/' + axis + ':' + value_text(value);
  record.id += '@' + worker;
  record.time = Timing{};
  for (const double seconds : rounds)
    record.time->processes.push_back({.start = 0, .first_sample = {}, .arm = {}, .samples = {seconds}});
  return record;
}

}  // namespace uotbench
