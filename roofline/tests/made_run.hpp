// A run of cases of known numbers, as figures get it.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "results/base/json.hpp"
#include "results/tests/made_record.hpp"
#include "results/view/view.hpp"
#include "roofline/model/ceilings.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {

struct MadeCase {
  std::string variant;
  Work work;
  double median = 1e-3;
  int threads = 2;
  int size = 4096;
};

/// Three processes each, 1% apart. `ceilings`: in the first line.
inline Run made_run(const std::vector<MadeCase>& cases, const std::vector<Ceilings>& ceilings) {
  Run run;
  run.path = "made.jsonl";
  Json stored = Json::array();
  for (const auto& one : ceilings) stored.push_back(to_json(one));
  run.header = made_header({{"kind", "run"},
                            {"machine", made_machine()},
                            {"ceilings", ceilings.empty() ? Json() : stored},
                            {"workers", {{"native-v4", Json::object()}}},
                            {"problem_axes", {{"uot", {"M", "N", "dtype"}}}}});
  for (const auto& made : cases) {
    Record record;
    record.id =
        fmt::format("{}/M:{}/N:{}/threads:{}@native-v4", made.variant, made.size, made.size, made.threads);
    record.variant = made.variant;
    record.worker = "native-v4";
    record.point = {{"M", made.size}, {"N", made.size}, {"dtype", "f32"}, {"threads", made.threads}};
    record.work = made.work;
    record.time = Timing{};
    for (const double shift : {0.99, 1., 1.01}) {
      ProcessSamples process;
      process.samples = {shift * made.median, shift * made.median};
      record.time->processes.push_back(process);
    }
    run.records.push_back(std::move(record));
  }
  return run;
}

/// `count` variants between 1/16 and 1/2 flop/byte that come up to between 30 and 95% of what DRAM allows in
/// made_ceilings.
inline std::vector<MadeCase> made_variants(int count) {
  static constexpr const char* names[]{"one_read",      "map_uot", "numpy_order", "gemv",
                                       "coffee_blocks", "naive_c", "pot",         "bf16",
                                       "fused_rows",    "stream",  "blas_eigen",  "typical_uot"};
  std::vector<MadeCase> cases;
  for (int i = 0; i < count; ++i) {
    const double cells = 4096. * 4096, passes = 1 + i % 6;
    const Work work{.flops = 4 * cells,
                    .bytes_read = 4 * cells * passes,
                    .bytes_written = i % 2 ? 4 * cells * (passes / 2) : 0,
                    .working_set = 1e9};
    const double fraction = 0.3 + 0.65 * ((i * 7) % 12) / 11.;
    cases.push_back({i < 12 ? fmt::format("uot/{}", names[i]) : fmt::format("uot/variant_{}", i), work,
                     work.bytes() / 80e9 / fraction, 2, 4096});
  }
  return cases;
}

}  // namespace uotbench
