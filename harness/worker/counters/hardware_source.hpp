// Counters of what runs, whatever reads them: the passes that a backend makes, the source made of them,
// PAPI's and the system's backends (perf's is in perf_backend.hpp), and the heap.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/worker/counters/counters.hpp"
#include "results/base/error.hpp"

namespace uotbench {

// What is able to count while this process runs, and no more: how perf, PAPI and the system differ. When it
// is asked, how often, and what becomes of the numbers is one piece of logic for all: hardware_source.hpp.

/// What was counted in one place: of a thread with those it starts, or of a CPU.
struct CountedPart {
  double value = 0;
  double enabled = 0;  ///< how long the event was to be counted,
  double running = 0;  ///< and how long it was, in the same unit: less where registers are shared by turns
};

struct CountedEvent {
  std::vector<CountedPart> parts = {};
  std::string failed = {};  ///< why there is no value after all, one line
  bool socket_wide = false;
  bool per_iteration = true;  ///< false: a state, not an amount
  std::string note = {};
};

/// These events cannot be counted together after all.
class NotStarted : public Error {
  using Error::Error;
};

/// Events that are counted at the same time.
class CountingPass {
 public:
  virtual ~CountingPass() = default;
  /// False: there is no room for it with those it has. Throws Error where it cannot be counted at all,
  /// saying why and what mends it.
  virtual bool add(const std::string& event) = 0;
  /// Again and again: counts add up. Throws NotStarted.
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual CountedEvent read(const std::string& event) = 0;
};

class HardwareBackend {
 public:
  virtual ~HardwareBackend() = default;
  virtual std::string name() const = 0;
  virtual Obstacle obstacle() const = 0;
  /// As CounterSource::unknown().
  virtual std::string unknown(const std::string& event) const = 0;
  /// A pass without events that counts `threads` of this process (the numbers in /proc/self/task), and all
  /// that they start. The calling thread is among them.
  virtual std::unique_ptr<CountingPass> pass(const std::vector<int>& threads) = 0;
};

// Counts in this process while iterations run, with whatever backend: hardware counters or the system's.

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

// PAPI's low-level interface as a backend: presets (PAPI_LD_INS) and native names. Only in builds that have
// PAPI.

class PapiBackend : public HardwareBackend {
 public:
  std::string name() const override { return "papi"; }
  /// Starts the library, once.
  Obstacle obstacle() const override;
  /// A preset that no PAPI has; native names are other CPUs', perhaps.
  std::string unknown(const std::string& event) const override;
  std::unique_ptr<CountingPass> pass(const std::vector<int>& threads) override;
};

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
