// A paper with one claim, and a run that has cases of it, as tests of claims need them.
#pragma once

#include <string>
#include <vector>

#include "results/claims/claims.hpp"
#include "results/tests/made_record.hpp"

namespace uotbench {

/// A quarter of its time goes to "price".
inline Record at_size(const std::string& variant, int M, const std::vector<double>& rounds) {
  Record record = timed_record(variant, {{"M", M}, {"N", 8}}, "native", rounds);
  record.work = Work{.flops = 4.0 * M * 8};
  record.env = CaseFacts(Json{{"rounds", 10 * M}, {"pinned", true}});
  record.check = Check{.error = 1e-6, .oracle = "made", .found = {{"gap", 3e-9}}};
  for (auto& process : record.time->processes)
    process.phases = {{.name = "price", .seconds = {process.samples[0] / 4}, .entered = 5}};
  return record;
}

/// Slow takes 3, 2 and 1.5 times as long as fast, of which the last is the largest problem.
inline Run made_run() {
  Run run{.path = "made.jsonl",
          .header = made_header(
              {{"kind", "run"},
               {"machine",
                {{"hashed", {{"logical_cpus", 2}, {"caches", {{{"level", 2}, {"bytes", 2097152}}}}}},
                 {"recorded", {{"memory", 25e9}, {"hostname", "vm"}}}}},
               {"problem_axes", {{"uot", {"M", "N"}}}}}),
          .records = {at_size("uot/fast", 4, {1, 1.1, 0.9}), at_size("uot/slow", 4, {3, 3.3, 2.7}),
                      at_size("uot/fast", 8, {2, 2.1, 1.9}), at_size("uot/slow", 8, {4, 4.2, 3.8}),
                      at_size("uot/fast", 16, {4, 4, 4}), at_size("uot/slow", 16, {6, 6.4, 5.6})},
          .resumes = {},
          .end = {},
          .unfinished = {},
          .warnings = {}};
  Record skipped = at_size("uot/gpu", 4, {});
  skipped.status = Status::skipped;
  skipped.reason = "no GPU here";
  run.records.push_back(skipped);
  return run;
}

inline ClaimFile file_with(Json claim) {
  const Json usual{{"id", "c"}, {"in", "Fig. 9"}, {"says", "Fast is fast."}, {"sweep", "one"}};
  for (const auto& [key, value] : usual.items())
    if (!claim.contains(key)) claim[key] = value;
  return claims_from({{"title", "A paper"},
                      {"source", "A. Nobody"},
                      {"machines", {{"box", {{"name", "A box"}}}}},
                      {"sweeps", {{"one", {{"here", "quickstart"}}}}},
                      {"cases",
                       {{"slow", {{"variant", "uot/slow"}}},
                        {"fast", {{"variant", "uot/fast"}}},
                        {"small", {{"variant", "uot/fast"}, {"M", 4}}},
                        {"gpu", {{"variant", "uot/gpu"}}},
                        {"other", {{"variant", "uot/other"}}}}},
                      {"claims", Json::array({claim})}},
                     "made.json");
}

}  // namespace uotbench
