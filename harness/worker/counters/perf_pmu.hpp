// What /sys/bus/event_source/devices says of a PMU (performance monitoring unit): of a core, or of a memory
// controller, a power meter, …
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace uotbench {

/// What perf_event_attr holds of an event.
struct PerfConfig {
  std::uint64_t config = 0, config1 = 0, config2 = 0;
};

class PerfPmu {
 public:
  explicit PerfPmu(std::filesystem::path folder);

  std::string name() const { return folder_.filename(); }
  /// Throws Error where the kernel does not say.
  std::uint32_t type() const;
  /// For a unit of a socket: the CPUs that it is counted on, one for each. None: it counts threads.
  std::vector<int> cpus() const;

  struct Event {
    PerfConfig config;
    double scale = 1;       ///< what one count is worth, in base units
    std::string unit = {};  ///< which: "Joules", "bytes"; empty: it is a count
  };
  /// `terms` are names of this PMU's events and values of its fields, comma-separated, as
  /// "event=0x29,umask=0x01". Throws UsageError where one is unknown or its value does not fit.
  Event event(const std::string& terms) const;
  /// Whether it has all that `terms` names.
  bool knows(const std::string& terms) const;

 private:
  void apply(const std::string& term, bool of_alias, Event& event) const;
  void apply_alias(const std::string& alias, Event& event) const;

  std::filesystem::path folder_;
};

/// All PMUs below `root`, by name; none where /sys is hidden.
std::vector<PerfPmu> perf_pmus(const std::filesystem::path& root);

/// "0-3,8" as numbers; none where it is no such list.
std::vector<int> numbers_of(const std::string& list);

}  // namespace uotbench
