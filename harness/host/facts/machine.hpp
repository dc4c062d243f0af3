// What machine this is, so that a stored number can be held against another one, or not.
#pragma once

#include <filesystem>
#include <string>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// {"fingerprint": 16 hex digits over "hashed",
///  "hashed":   what makes times comparable: CPU, features, usable CPUs, cores, caches, NUMA, hypervisor,
///  "recorded": what may change between two runs on it: clock, governor, load, kernel, …}
/// What the system does not tell is null. Sizes in bytes.
Json machine_facts(const std::filesystem::path& root = "/");

/// The fingerprint of a "hashed" part.
std::string fingerprint_of(const Json& hashed);

}  // namespace uotbench
