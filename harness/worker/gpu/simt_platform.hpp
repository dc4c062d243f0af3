// The CPU in place of a GPU: kernels' threads run one after another (harness/simt). What they give is judged
// as any result is; how long they take says nothing.
#pragma once

#include "harness/protocol/point_json.hpp"
#include "harness/simt/device_memory.hpp"
#include "harness/simt/executor/executor.hpp"
#include "harness/worker/platform.hpp"
#include "results/base/json.hpp"

namespace uotbench {

class Executor : public Platform {
 public:
  Json hello() const override {
    return {{"device", {{"name", "CPU executor"}, {"compute_capability", "9.0"}}},
            {"steps", {"verify", "count"}}};
  }
  bool times() const override { return false; }
  void enter(const Point& point) override {
    simt::set_order(order_named(settings_of(point).order));
    DeviceMemory::watch();
  }
  Json usage() override { return {{"device_peak_bytes", DeviceMemory::peak()}}; }

 private:
  static simt::Order order_named(const std::string& name) {
    if (name == "ascending") return simt::Order::ascending;
    if (name == "descending") return simt::Order::descending;
    if (name == "shuffled") return simt::Order::shuffled;
    return simt::Order::mixed;
  }
};

}  // namespace uotbench
