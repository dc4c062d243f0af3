// Instances to be counted.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "harness/worker/counters/counters.hpp"
#include "results/base/error.hpp"

namespace uotbench {

class InstanceOf : public Instance {
 public:
  explicit InstanceOf(std::function<void()> act = [] {}) : act_(std::move(act)) {}
  void iterate() override {
    ++iterations;
    act_();
  }
  std::vector<std::string> finish(Arrays&) override { return {}; }
  int iterations = 0;

 private:
  std::function<void()> act_;
};

/// In no time: every pass makes one iteration.
inline CountRequest request(std::vector<std::string> events, double seconds = 0) {
  return {.events = std::move(events), .caches = {}, .seconds = seconds};
}

inline std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace uotbench
