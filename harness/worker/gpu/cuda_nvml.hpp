// What NVIDIA's management library reports of a GPU, loaded where the driver brings it: clocks, why they are
// lower than they could be, errors of its memory, who else computes on it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// One look at a GPU; what the library does not report is absent.
struct GpuState {
  std::optional<unsigned> sm_mhz, memory_mhz;  ///< clocks now
  std::optional<unsigned long long> limits;    ///< NVML's bits of why clocks are limited
  std::optional<unsigned> temperature;         ///< degrees Celsius
  std::optional<double> watts;
  std::optional<unsigned long long> memory_errors;  ///< uncorrected, since the driver was loaded
  std::optional<unsigned> others;                   ///< processes that compute on it, this one not counted
  std::optional<unsigned long long>
      own_bytes;  ///< of its memory that this process holds, the driver's part too
};

class Nvml {
 public:
  /// The GPU at this PCI address, e.g. 0000:01:00.0. Null where there is no library or it knows no such GPU;
  /// `file` is for tests.
  static std::unique_ptr<Nvml> of(const std::string& pci_address, const char* file = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  GpuState state() const;
  /// Highest clocks, whether ECC is on, the driver's version.
  Json facts() const;

 private:
  struct Library;
  explicit Nvml(std::unique_ptr<Library> library);
  std::unique_ptr<Library> library_;
};

Json to_json(const GpuState& state);
/// What spoiled a measurement between two looks, a line each; empty: nothing did.
std::vector<std::string> spoilers(const GpuState& before, const GpuState& after);

}  // namespace uotbench
