// A run whose cases were timed per iteration, per solve and per part, with work, counts and phases of their
// own units.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/json.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/tests/made_record.hpp"
#include "results/view/view.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {

inline Record unit_record(const std::string& variant, const std::string& worker, const Json& point, Unit per,
                          double seconds, std::int64_t iterations = 0) {
  Record record;
  record.variant = variant;
  record.worker = worker;
  record.point = point;
  record.id = variant;
  for (const auto& [axis, value] : point.items()) record.id += '/' + axis + ':' + value_text(value);
  record.id += '@' + worker;
  record.time = Timing{.per = per};
  if (iterations > 0) record.time->iterations = iterations;
  for (const double shift : {0.98, 1., 1.03}) {
    const double sample = seconds * shift;
    ProcessSamples process{.samples = {sample, sample}, .busy = 0.5};
    process.phases = {{"price", {sample / 4, sample / 4}, 1}};
    record.time->processes.push_back(std::move(process));
  }
  const double steps = iterations > 0 ? static_cast<double>(iterations) : 1;
  const double cells = point.at("M").get<double>() * point.at("N").get<double>();
  // Different for each variant, so that no number can pass for another's.
  const double bytes = cells * 4 * steps * (1 + 0.125 * static_cast<double>(variant.size() % 5));
  record.work = Work{.flops = 4 * cells * steps,
                     .bytes_read = bytes,
                     .bytes_written = bytes / 2,
                     .working_set = cells * 4 * (1 + 0.001 * static_cast<double>(variant.size()))};
  const auto count = [&](const char* name, double value) {
    record.counters[name] = {
        .value = value, .origin = {.source = "papi", .kind = "measured"}, .unit = "1", .per = per};
  };
  count("L1D.accesses", cells * steps);
  count("L1D.misses", cells * steps / 16 * (1 + 0.01 * static_cast<double>(variant.size())));
  record.check = Check{.error = 1e-6, .tolerance = 1e-5};
  return record;
}

/// POT's 100 iterations and OTT's 10 next to iterations; parts next to both; solves to a test; tiles.
inline Run run_of_units(const std::vector<int>& counts = {1, 2}) {
  Run run;
  run.path = "units.jsonl";
  run.header = made_header({{"kind", "run"},
                            {"machine", made_machine()},
                            {"ceilings", Json::array({to_json(made_ceilings())})},
                            {"workers", {{"native-v4", Json::object()}, {"python", Json::object()}}},
                            {"problem_axes", {{"uot", {"M", "N", "dtype", "stop", "reg_m"}}}}});
  for (const int size : {2048, 4096})
    for (const int threads : counts) {
      const Json point{
          {"M", size}, {"N", size}, {"dtype", "f32"}, {"stop", "iterations"}, {"threads", threads}};
      const double unit = 1e-9 * size * size * (threads == 1 ? 1.7 : 1);
      const auto add = [&](const char* variant, const char* worker, Unit per, double seconds,
                           std::int64_t its = 0) {
        run.records.push_back(unit_record(variant, worker, point, per, seconds, its));
      };
      add("uot/numpy_order", "native-v4", Unit::iteration, 2 * unit);
      add("uot/one_read", "native-v4", Unit::iteration, 0.8 * unit);
      add("uot/pot_knopp", "python", Unit::solve, 380 * unit, 100);
      add("uot/ott", "python", Unit::solve, 90 * unit, 10);
      add("uot/part_a", "native-v4", Unit::part, 0.5 * unit);
      add("uot/part_bb", "native-v4", Unit::part, 0.3 * unit);
      for (const int rows : {4, 8})
        for (const int block : {16, 32}) {
          Json tile = point;
          tile["rows"] = rows, tile["block"] = block;
          run.records.push_back(unit_record("uot/coffee", "native-v4", tile, Unit::iteration,
                                            unit * (1 + 0.01 * rows + 0.002 * block)));
        }
    }
  for (const double reg_m : {0.5, 5.}) {
    const Json point{{"M", 1024},        {"N", 1024},      {"dtype", "f32"},
                     {"stop", "change"}, {"reg_m", reg_m}, {"threads", 2}};
    run.records.push_back(unit_record("uot/sor", "native-v4", point, Unit::solve, 2e-3 * reg_m, 21));
    run.records.push_back(unit_record("uot/pot_ti", "python", point, Unit::solve, 9e-2 * reg_m,
                                      static_cast<std::int64_t>(300 * reg_m)));
  }
  return run;
}

}  // namespace uotbench
