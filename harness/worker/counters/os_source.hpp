// Sources that need no hardware: what the system counts of a process, and what it takes from the heap.
#pragma once

#include <memory>

#include "harness/worker/counters/counters.hpp"
#include "harness/worker/counters/hardware_source.hpp"

namespace uotbench {

// What the operating system counts by itself (getrusage, /proc), as a source of counters.

/// page-faults, major-faults, voluntary-switches, involuntary-switches, migrations, steal (seconds), peak-rss
/// (bytes, not per iteration). Of the whole process; nothing forbids them.
class OsBackend : public HardwareBackend {
 public:
  std::string name() const override { return "os"; }
  Obstacle obstacle() const override { return {}; }
  std::string unknown(const std::string& event) const override;
  std::unique_ptr<CountingPass> pass(const std::vector<int>& threads) override;
};

// The heap as a source of counts: what loading a case takes, and what one of its iterations takes, exactly.

std::unique_ptr<CounterSource> heap_source();

}  // namespace uotbench
