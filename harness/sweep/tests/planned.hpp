// Sweeps as texts, the plans made of them, and what is said of wrong ones.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/protocol/tests/refusal.hpp"
#include "harness/sweep/language/schema.hpp"
#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {

namespace fs = std::filesystem;

inline const fs::path configs = fs::path(UOTBENCH_SOURCE_DIR) / "configs";

inline const Json& schema() {
  static const Json schema = read_strictly(configs / "sweep.schema.json");
  return schema;
}

inline Sweep sweep_of(const std::string& text) {
  return sweep_from(parse_strictly(text, "s.json"), schema(), "s.json");
}

/// What is said of a sweep, without the file's name.
inline std::string sweep_refusal(const std::string& text) {
  const std::string whole = complaint([&] { sweep_of(text); });
  EXPECT_EQ(whole.find('\n'), std::string::npos) << whole;
  return whole.starts_with("s.json: ") ? whole.substr(8) : whole;
}

/// Of a sweep with this single case.
inline std::string case_refusal(const std::string& entry) {
  return sweep_refusal(R"({"name": "x", "cases": [)" + entry + "]}");
}
inline std::string axes_refusal(const std::string& axes) {
  return case_refusal(R"({"variants": ["uot/x"], "axes": )" + axes + "}");
}
inline std::string measure_refusal(const std::string& measure) {
  return sweep_refusal(R"({"name": "x", "measure": )" + measure + R"(, "cases": [{"variants": ["uot/x"]}]})");
}
inline std::string override_refusal(const std::string& text) {
  return complaint([&] { parse_axis_override(text); });
}

// Plans made with real workers, and with some that do not work.

/// A real worker that runs here, under this name, so that ids are the same on every machine.
inline Manifest real_worker(const std::string& name) {
  for (Manifest manifest : read_manifests(configs / "workers", UOTBENCH_BIN_DIR))
    if (manifest.name.starts_with("native") && manifest.prefer > 0 && manifest.obstacle().empty()) {
      manifest.name = name;
      return manifest;
    }
  throw Error("no native worker was built for this CPU");
}

inline Manifest worker(const std::string& name, std::vector<std::string> command,
                       const std::string& isa = "") {
  return {.name = name, .about = {}, .command = std::move(command), .environment = {}, .isa = isa};
}

/// What the pool may use; plan_of sets it.
inline RunContext& context() {
  static RunContext context;
  return context;
}

/// The oracle; w and v, which hold the real variants; and three that do not work, each in its own way.
inline WorkerPool& pool() {
  static WorkerPool pool = [] {
    std::vector<Manifest> manifests{real_worker("w"), real_worker("v"),
                                    worker("absent", {"/no/such/program"}),
                                    worker("future", {"/bin/sh"}, "x86-64-v99"),
                                    worker("broken", {"/bin/sh", "-c", "echo out of coffee >&2; exit 3"})};
    for (const auto& manifest : read_manifests(configs / "workers", UOTBENCH_BIN_DIR))
      if (manifest.judge) manifests.push_back(manifest);
    return WorkerPool(std::move(manifests), context());
  }();
  return pool;
}

/// A sweep of one case group on worker w unless the entry says otherwise.
inline Sweep one(const std::string& entry) {
  return sweep_of(R"({"name": "s", "workers": ["w"], "cases": [)" + entry + "]}");
}

inline const RunContext roomy{.cpus = {0, 1, 2, 3}, .memory = {1e15, "MemAvailable"}};

inline Plan plan_of(const Sweep& sweep, const Selection& selection = {}, const RunContext& with = roomy) {
  context() = with;
  return make_plan(sweep, pool(), selection);
}

inline std::string plan_refusal(const std::string& entry, const Selection& selection = {}) {
  return complaint([&] { plan_of(one(entry), selection); });
}

/// "skipped: reason" of the only case; "" where it is to be run.
inline std::string decision(const Plan& plan) {
  EXPECT_EQ(plan.size(), 1u);
  const auto& decided = plan.groups.at(0).cases.at(0).decided;
  return decided ? std::string(name_of(decided->status)) + ": " + decided->reason : "";
}

}  // namespace uotbench
