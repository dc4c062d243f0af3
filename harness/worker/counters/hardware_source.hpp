// Counts in this process while iterations run, with whatever backend: hardware counters or the system's.
#pragma once

#include <memory>
#include <string>

#include "harness/worker/counters/hardware_backend.hpp"

namespace uotbench {

/// Events are packed into as few passes as the backend has room for; each pass repeats iterations for its
/// share of the time. All threads of the process are counted, OpenMP's, OpenBLAS's and a kernel's own.
class HardwareSource : public CounterSource {
 public:
  explicit HardwareSource(std::unique_ptr<HardwareBackend> backend);
  std::string name() const override;
  Obstacle obstacle() const override;
  std::string unknown(const std::string& event) const override;
  /// Throws what the kernel throws.
  EventCounts count(Instance& instance, const Team& team, const CountRequest& request) override;

 private:
  std::unique_ptr<HardwareBackend> backend_;
};

}  // namespace uotbench
