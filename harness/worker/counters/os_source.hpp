// What the operating system counts by itself (getrusage, /proc), as a source of counters.
#pragma once

#include "harness/worker/counters/hardware_source.hpp"

namespace uotbench {

/// page-faults, major-faults, voluntary-switches, involuntary-switches, migrations, steal (seconds), peak-rss
/// (bytes, not per iteration). Of the whole process; nothing forbids them.
class OsBackend : public HardwareBackend {
 public:
  std::string name() const override { return "os"; }
  Obstacle obstacle() const override { return {}; }
  std::string unknown(const std::string& event) const override;
  std::unique_ptr<CountingPass> pass(const std::vector<int>& threads) override;
};

}  // namespace uotbench
