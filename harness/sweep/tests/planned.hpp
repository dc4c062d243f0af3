// Plans made with real workers, and with some that do not work.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/tests/sweep_texts.hpp"
#include "results/base/error.hpp"

namespace uotbench {

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
