// What on this machine stands in the way of good measurements, what that costs, and what mends it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/host/process/program.hpp"
#include "results/base/json_fwd.hpp"

namespace uotbench {

struct Finding {
  enum class Level { ok, note, warning, error };

  Level level = Level::ok;
  std::string what;  ///< what was seen, in one line
  std::string cost;  ///< what it costs a measurement; empty: nothing
  std::string mend;  ///< a command to paste; empty: there is none
};

/// Looks at settings, load, shared memory, counters, libraries and programs; takes about a quarter of a
/// second, most of it to watch the other processes. Changes nothing.
std::vector<Finding> examine_host(const std::filesystem::path& root = "/");

// The parts of the doctor's examination, one a subject.

/// Governor, turbo, huge pages, address randomization, SMT, virtual machine.
std::vector<Finding> settings_findings(const std::filesystem::path& root);
/// Load average, processes that compute right now, and a CPU quota where there is one.
std::vector<Finding> load_findings(const std::filesystem::path& root);
/// What computes right now besides this program, in words; where processes are not visible, the load average.
/// Empty where that lets kernels be timed. Watches for 0.2 s.
std::string busy_text(const std::filesystem::path& root = "/");
/// Shared memory, where the arrays of a case live.
std::vector<Finding> memory_findings(const std::filesystem::path& root);
/// Caches whose told size is doubtful. `hashed`: of machine_facts(); `probed`: "probed_caches" of a run
/// file's machine facts, null where nobody probed.
std::vector<Finding> cache_findings(const Json& hashed, const Json& probed);
/// Whether hardware counters can be read.
std::vector<Finding> counter_findings(const std::filesystem::path& root);
/// Libraries and programs that some workers and commands need.
std::vector<Finding> software_findings(const std::filesystem::path& root);
/// An OpenBLAS that chooses the kernels of `core` on a CPU with vectors of `cpu_bits` (blas_cores.hpp).
Finding openblas_finding(const std::string& core, int cpu_bits);

}  // namespace uotbench
