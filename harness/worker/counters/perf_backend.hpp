// perf_event_open(2) as a backend: generic, software, raw and PMU events, counted per thread or per socket.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>

#include "harness/worker/counters/hardware_source.hpp"

struct perf_event_attr;

namespace uotbench {

/// Opens an event of a thread (or of all threads, -1) on a CPU (or on all, -1), in a group's leader (or in
/// none, -1): a file descriptor, or -errno.
using PerfOpen = std::function<int(perf_event_attr& attributes, pid_t thread, int cpu, int leader)>;

class PerfBackend : public HardwareBackend {
 public:
  /// The kernel's, and what it reports in /sys and /proc.
  PerfBackend();
  /// With another `root` and another way to open.
  PerfBackend(std::filesystem::path root, PerfOpen open);

  std::string name() const override { return "perf"; }
  /// Of software events: a machine may have those without a PMU. What one event needs is said when it is
  /// added.
  Obstacle obstacle() const override;
  std::string unknown(const std::string& event) const override;
  std::unique_ptr<CountingPass> pass(const std::vector<int>& threads) override;

 private:
  std::filesystem::path root_;
  PerfOpen open_;
};

}  // namespace uotbench
