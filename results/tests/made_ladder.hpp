// A run with published values: three rungs of a ladder, of which one is counted, one timed and one skipped.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results/base/json.hpp"
#include "results/tests/made_record.hpp"
#include "results/view/view.hpp"

namespace uotbench {

inline Json made_published() {
  return Json::parse(R"({
    "source": "A. Nobody, slides", "flops": 4000,
    "machines": {
      "card": {"name": "A card", "multiprocessor": {"count": 68, "threads": 1024, "blocks": 16, "shared_bytes": 65536}},
      "box": {"name": "A box"}
    },
    "values": [
      {"variant": "match/gpu1", "machine": "card", "time": 0.5, "occupancy": {"theoretical": 1, "achieved": 0.1987}},
      {"variant": "match/gpu2", "machine": "card", "time": 0.25,
       "counters": {"GPU.loads": 1601, "GPU.conflicts": 1.6e3}, "occupancy": {"theoretical": 0.75}},
      {"variant": "match/cpu1", "machine": "box", "time": 2.0}
    ]})");
}

/// Of a problem of `flops`.
inline Record ladder_record(const std::string& variant, int N, const std::string& worker, double flops) {
  Record record;
  record.variant = variant;
  record.worker = worker;
  record.id = variant + "/N:" + std::to_string(N) + "@" + worker;
  record.point = {{"N", N}};
  if (flops > 0) record.work = Work{.flops = flops};
  return record;
}
inline Record timed(Record record, double seconds) {
  record.time = Timing{};
  record.time->processes = {{.start = 0, .first_sample = {}, .arm = {}, .samples = {seconds, seconds}}};
  return record;
}
inline Record counted_with(Record record, const std::vector<std::pair<std::string, double>>& counters) {
  for (const auto& [name, value] : counters)
    record.counters[name] = {
        .value = value, .origin = {.source = "simt-trace", .kind = "simulated"}, .unit = "accesses"};
  return record;
}

inline Run run_with(std::vector<Record> records, const Json& published = made_published()) {
  Json sweep{{"name", "ladder"}};
  if (!published.is_null()) sweep["published"] = published;
  Json header{{"kind", "run"}, {"sweep", sweep}, {"problem_axes", {{"match", {"N"}}}}};
  return {.path = "ladder.jsonl",
          .header = made_header(std::move(header)),
          .records = std::move(records),
          .resumes = {},
          .end = {},
          .unfinished = {},
          .warnings = {}};
}

/// 16 rows of a grid of 256 threads, each block with 17 KiB; 100 of 4000 flops, so that counts are 40 times
/// as many.
inline Run made_ladder() {
  Record skipped = ladder_record("match/gpu2", 9, "cuda", 4000);
  skipped.status = Status::skipped;
  skipped.reason = "no GPU here";
  return run_with(
      {timed(ladder_record("match/cpu1", 4, "native", 1000), 0.25),
       timed(ladder_record("match/cpu1", 5, "native", 1000), 0.20),
       timed(ladder_record("match/cpu2", 4, "native", 1000), 0.10),
       ladder_record("match/gpu1", 3, "simt", 100), skipped,
       counted_with(ladder_record("match/gpu2", 3, "simt-trace", 100), {{"GPU.loads", 40},
                                                                        {"GPU.conflicts", 44},
                                                                        {"GPU.launches", 1},
                                                                        {"GPU.blocks", 16},
                                                                        {"GPU.threads", 4096},
                                                                        {"GPU.shared_bytes", 16 * 17408.}}),
       counted_with(ladder_record("match/gpu2", 2, "simt-trace", 10),
                    {{"GPU.loads", 4}, {"GPU.conflicts", 4}}),
       counted_with(ladder_record("match/gpu3", 3, "simt-trace", 100),
                    {{"GPU.loads", 10}, {"GPU.conflicts", 0}})});
}

}  // namespace uotbench
