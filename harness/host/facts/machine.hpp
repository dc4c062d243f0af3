// What is known of this machine, of its settings and GPUs, and of the batch job that runs on it.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "results/base/json_fwd.hpp"

namespace uotbench {

// What machine this is, so that a stored number can be held against another one, or not.

/// {"fingerprint": 16 hex digits over "hashed",
///  "hashed":   what makes times comparable: CPU, features, usable CPUs, cores, caches, NUMA, hypervisor,
///  "recorded": what may change between two runs on it: clock, governor, load, kernel, …}
/// What the system does not tell is null. Sizes in bytes.
Json machine_facts(const std::filesystem::path& root = "/");

/// The fingerprint of a "hashed" part.
std::string fingerprint_of(const Json& hashed);

// Which job of a cluster's scheduler this process belongs to.

/// What is told under a name in the environment; null: nothing.
using Told = std::function<const char*(const char*)>;

/// For every record that the job makes: `scheduler`, `job` as `squeue` shows it, `job_id`, `job_restarts`,
/// `job_nodes`, and of this process `node` and `node_cpus`, the CPUs that it may use there. Empty where there
/// is no scheduler that is known here (Slurm).
Json job_facts();
Json job_facts(const Told& told, const std::string& node, const std::string& cpus);

// Whether there is a GPU for CUDA.

/// A device file of NVIDIA's driver, of any number: a container may be given the second GPU alone.
inline bool has_gpu(const std::filesystem::path& root = "/") {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(root / "dev", none)) {
    const std::string name = entry.path().filename();
    constexpr std::string_view driver = "nvidia";
    if (name.size() > driver.size() && name.starts_with(driver) &&
        std::all_of(name.begin() + driver.size(), name.end(),
                    [](unsigned char c) { return std::isdigit(c); }))
      return true;
  }
  return false;
}

// The settings of the system that change how fast programs run. Absent means: not told here.

/// Keys and values of the first processor in /proc/cpuinfo. Only that one: the others repeat it, and on large
/// machines the kernel takes milliseconds to make them all up.
std::map<std::string, std::string> first_processor(const std::filesystem::path& root = "/");

/// The frequency governors in use, comma-joined where CPUs differ.
std::optional<std::string> governor(const std::filesystem::path& root = "/");
/// Whether the CPU may run above its nominal frequency.
std::optional<bool> turbo(const std::filesystem::path& root = "/");
/// Transparent huge pages: always, madvise or never.
std::optional<std::string> huge_pages(const std::filesystem::path& root = "/");
/// randomize_va_space: 0 (off), 1 or 2; 0 too where this process runs under `setarch -R`.
std::optional<int> address_randomization(const std::filesystem::path& root = "/");
/// Whether cores run several hardware threads.
std::optional<bool> smt(const std::filesystem::path& root = "/");
/// The hypervisor that this machine runs under, "unknown" where it does not say its name; absent where no
/// sign of one is seen.
std::optional<std::string> hypervisor(const std::filesystem::path& root = "/");

}  // namespace uotbench
