// A gate's report with every verdict in it, and texts that the outputs have to escape.
#pragma once

#include "results/base/json.hpp"
#include "results/gate/gate.hpp"

namespace uotbench {

inline TimeVerdict made_time(Verdict verdict, double ratio, const std::string& reason) {
  return {.verdict = verdict,
          .reason = reason,
          .ratio = ratio,
          .interval = ConfidenceInterval{.low = ratio - 0.012, .high = ratio + 0.013, .coverage = 0.957},
          .noise = 0.021,
          .detectable = 1.052,
          .pairs = 48,
          .confirming = 24,
          .p = {}};
}

inline CounterVerdict made_counter(const std::string& name, double baseline, double candidate,
                                   Verdict verdict) {
  return {.name = name,
          .source = "trace",
          .unit = "accesses",
          .baseline = baseline,
          .candidate = candidate,
          .tolerance = 0,
          .verdict = verdict};
}

inline GateCase made_case(const std::string& axes, const TimeVerdict& time) {
  return {.id = "uot/" + axes + "@native-v4",
          .baseline_seconds = 0.001,
          .candidate_seconds = 0.001 * time.ratio,
          .time = time};
}

inline GateReport made_gate() {
  GateReport report;
  report.sweep = "gate";
  report.started = "2026-11-22T05:00:00Z";
  report.run = "results/runs/gate-20261122T050000.000Z.jsonl";
  report.baseline = {.about = "origin/main (1a2b3c4d)", .build = Json{{"native-v4", {{"hash", "a"}}}}};
  report.candidate = {.about = "working tree (5e6f7a8b and changes)",
                      .build = Json{{"native-v4", {{"hash", "b"}}}}};
  report.machine = Json{{"fingerprint", "0123456789abcdef"}};
  report.options = Json{{"delta", 0.03}, {"budget", 300}, {"seed", 1}};
  auto& cases = report.cases;
  cases.push_back(
      made_case("map_uot/M:64/N:64",
                made_time(Verdict::ok, 1.001,
                          "no change found in 48 pairs: 1.001x (0.989 to 1.014); 1.052x would have been")));
  cases.back().counters = {made_counter("L1D.misses", 4096, 4096, Verdict::ok)};
  cases.push_back(made_case("map_uot/M:4096/N:4096",
                            made_time(Verdict::regressed, 1.104,
                                      "1.104x (1.092 to 1.117), confirmed by 24 fresh pairs, p = 0.0004")));
  cases.back().time->p = 0.0004;
  cases.back().counters = {made_counter("L1D.misses", 4096, 4097, Verdict::regressed)};
  cases.push_back(made_case("one_read/M:64/N:64",
                            made_time(Verdict::improved, 0.871,
                                      "0.871x (0.859 to 0.884), confirmed by 24 fresh pairs, p = 0.0002")));
  cases.push_back(made_case(
      "gemv/M:64/N:64",
      made_time(Verdict::inconclusive, 1.042,
                "too noisy: 1.042x (1.030 to 1.055) in 96 pairs, neither a change nor surely below 1.100x")));
  cases.push_back({.id = "uot/coffee/M:64/N:64@native-v4",
                   .verdict = Verdict::missing,
                   .reason = "the candidate has no variant \"uot/coffee\""});
  cases.push_back(
      {.id = "uot/fresh/M:64/N:64@native-v4", .verdict = Verdict::added, .reason = "the baseline lacks it"});
  cases.push_back({.id = "uot/broken/M:64/N:64@native-v4",
                   .verdict = Verdict::failed,
                   .reason = "candidate crashed: SIGSEGV in <lambda> & \"friends\"\x01, |u| = `nan`"});
  cases.push_back({.id = "uot/elsewhere/data:npy/path:%2Fa%2C%7Cb%60@native-v4",
                   .verdict = Verdict::incomparable,
                   .reason = "arms ran on different machines"});
  cases.push_back(made_case("numpy_order/M:64/N:64",
                            made_time(Verdict::regressed, 1.31,
                                      "1.310x (1.298 to 1.323), confirmed by 24 fresh pairs, p = 0.0001")));
  cases.back().accepted = "the judge found it wrong before (commit 1a2b3c4d)";
  for (auto& one : cases) settle(one);
  report.warnings = {"load was 3.1 on 2 CPUs: 50% more\nthan usual"};
  report.notes = {"energy.package: only the baseline has it (9 cases)"};
  report.elapsed = 252.3456;
  return report;
}

}  // namespace uotbench
