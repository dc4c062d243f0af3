// Counting by perf_event_open: the events of this machine, and what counts them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/worker/counters/hardware_source.hpp"

struct perf_event_attr;

namespace uotbench {

// What /sys/bus/event_source/devices says of a PMU (performance monitoring unit): of a core, or of a memory
// controller, a power meter, …

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

// perf's own names of events that every PMU may have, and of the kernel's software events (perf-list(1)).

struct PerfName {
  std::uint32_t type = 0;    ///< PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE or PERF_TYPE_SOFTWARE
  std::uint64_t config = 0;  ///< as perf_event_open(2) has it
};

const std::map<std::string, PerfName>& perf_names();

// What an event's name means to perf_event_open on a machine.

struct PerfEvent {
  /// How one PMU is asked.
  struct Code {
    std::uint32_t type = 0;
    PerfConfig config;
    std::vector<int> cpus = {};  ///< socket-wide: where it is counted
  };
  std::vector<Code> codes;  ///< several are added up: a hybrid CPU's two kinds of core, or all that '*' means
  bool socket_wide = false;
  /// Happens in the kernel: where only user mode is counted it is always 0.
  bool in_kernel = false;
  bool hardware = true;  ///< false: the kernel's own events, which need no PMU
  double scale = 1;      ///< what one count is worth, in base units: "seconds", "bytes", "Joules"
  std::string unit;      ///< which; empty: it is a count
};

/// Why there can be no event of this name on any machine; empty: there may be.
std::string no_perf_event(const std::string& name);

/// `name` is perf's: cycles, L1-dcache-load-misses, page-faults, rNNNN (raw, hexadecimal), PMU/TERMS/ with
/// the terms of PerfPmu::event(); '*' in a PMU's name means all that match. Throws UsageError in one
/// line with the nearest name. Reads /sys below `root`, changes nothing.
PerfEvent parse_perf_event(const std::string& name, const std::filesystem::path& root = "/");

// perf_event_open(2) as a backend: generic, software, raw and PMU events, counted per thread or per socket.

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
