// A machine, its ceilings and cases of known numbers, made for tests.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "results/base/json.hpp"
#include "results/record/record.hpp"
#include "results/tests/made_record.hpp"
#include "results/view/view.hpp"
#include "roofline/explain/hot_code.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {

// Work of known numbers, and code that was counted.

/// Two threads under made_ceilings() read this from DRAM in 1 s.
inline const Work made_reading{.bytes_read = 80e9, .working_set = 400e6};

/// A block of two instructions, passed 995 times.
inline void add_code(Record& record) {
  Counter& counter = record.counters[counter_names::by_block];
  counter.value = 2000;
  counter.lines = {{"worker+0x10, 2 instructions: ffc975fc", 1990}};
}

inline constexpr double KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

/// Two cores: L1 32 KiB and L2 1 MiB each, an L3 of 32 MiB for both.
inline Json made_machine() {
  const auto cache = [](int level, int kib, int shared_by, int count) {
    return Json{{"level", level}, {"bytes", kib * 1024.}, {"shared_by", shared_by}, {"count", count}};
  };
  return {{"hashed",
           {{"logical_cpus", 2},
            {"physical_cores", 2},
            {"caches", {cache(1, 32, 1, 2), cache(2, 1024, 1, 2), cache(3, 32768, 2, 1)}}}}};
}

inline Roof bandwidth_roof(const char* kernel, const char* level, int threads, double value) {
  return {.kernel = kernel,
          .level = level,
          .form = {},
          .dtype = "f32",
          .threads = threads,
          .place = "close",
          .worker = "native-v4",
          .working_set = {},
          .value = value,
          .noise = 0.01};
}

/// With two threads DRAM reads 80, copies 60, writes 40 and in place moves 120 GB/s; an inner level twice
/// what the next one does; one thread five eighths. 100 GFLOP/s with vectors.
inline Ceilings made_ceilings() {
  Ceilings made{.source = "measured",
                .name = "made",
                .device = "cpu",
                .fingerprint = "0123456789abcdef",
                .made = "2026-01-01T00:00:00Z",
                .about = {},
                .roofs = {}};
  const std::pair<const char*, double> kernels[]{{"read", 80e9},    {"rmw", 120e9},  {"copy", 60e9},
                                                 {"copy_nt", 70e9}, {"write", 40e9}, {"write_nt", 50e9}};
  double times = 1;
  for (const char* level : {"DRAM", "L3", "L2", "L1"}) {
    for (const auto& [kernel, value] : kernels)
      for (const int threads : {1, 2})
        made.roofs.push_back(
            bandwidth_roof(kernel, level, threads, times * value * (threads == 1 ? 0.625 : 1)));
    times *= 2;
  }
  for (const auto& [form, value] : {std::pair{"vector", 100e9}, std::pair{"scalar", 12.5e9}}) {
    Roof peak = bandwidth_roof("fma", "", 2, value);
    peak.form = form;
    made.roofs.push_back(peak);
  }
  return made;
}

/// A maker's two numbers.
inline Ceilings specified(double bandwidth, double flops) {
  Ceilings made{.source = "specification",
                .name = "specified",
                .device = "cpu",
                .fingerprint = {},
                .made = {},
                .about = "a data sheet",
                .roofs = {}};
  Roof memory, peak;
  memory.kernel = "bandwidth", memory.level = "DRAM", memory.value = bandwidth;
  peak.kernel = "flops", peak.value = flops;
  made.roofs = {memory, peak};
  return made;
}

/// An ok case of two threads that takes `median` seconds.
struct Made {
  Made(Work work, double median) {
    record.id = "uot/made/M:4096/N:4096/threads:2@native-v4";
    record.variant = "uot/made";
    record.worker = "native-v4";
    record.point = {{"M", 4096}, {"N", 4096}, {"threads", 2}, {"dtype", "f32"}};
    record.work = work;
    view.record = &record;
    view.time = Summary{.median = median, .noise = {}, .samples = 9, .warnings = {}};
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;

  Record record;
  CaseView view;
};

// A run of cases of known numbers, as figures get it.

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
