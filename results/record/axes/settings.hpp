// What axes are for, and the settings that the harness itself obeys: how many CPUs a case has, which, and in
// which state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace uotbench {

/// Names of their axes. Code that needs a value uses `Settings`.
namespace setting_axis {
inline constexpr const char *threads = "threads", *ranks = "ranks", *place = "place", *cache = "cache",
                            *order = "order", *denormals = "denormals";
}

struct Settings {
  std::int64_t ranks = 1;       ///< processes
  std::int64_t threads = 1;     ///< of each process
  std::string place = "close";  ///< or "spread": as far apart as the machine allows
  bool flushes = false;         ///< denormals=flush: subnormal numbers are 0
  bool cold = false;            ///< caches are evicted before every timed call
  std::string order = "mixed";  ///< in which a GPU's threads run where a CPU runs them

  /// CPUs that a case takes.
  std::int64_t cpus() const { return ranks * threads; }
};

// What an axis is for.

enum class Role {
  size,     ///< how large the problem is: an integer, always part of a case's id
  problem,  ///< what else says what is computed
  setting,  ///< on what part of the machine, and in which state: what cases share that are compared fairly
  tunable,  ///< how a variant computes
};

/// "size", "problem", "setting", "tunable".
const char* name_of(Role role);
std::optional<Role> role_named(std::string_view name);

}  // namespace uotbench
