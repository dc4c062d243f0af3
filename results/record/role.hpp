// What an axis is for.
#pragma once

#include <optional>
#include <string_view>

namespace uotbench {

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
