// PAPI's low-level interface as a backend: presets (PAPI_LD_INS) and native names. Only in builds that have
// PAPI.
#pragma once

#include "harness/worker/counters/hardware_source.hpp"

namespace uotbench {

class PapiBackend : public HardwareBackend {
 public:
  std::string name() const override { return "papi"; }
  /// Starts the library, once.
  Obstacle obstacle() const override;
  /// A preset that no PAPI has; native names are other CPUs', perhaps.
  std::string unknown(const std::string& event) const override;
  std::unique_ptr<CountingPass> pass(const std::vector<int>& threads) override;
};

}  // namespace uotbench
