#include "results/record/role.hpp"

#include <algorithm>
#include <array>

namespace uotbench {
namespace {

constexpr std::array<const char*, 4> role_names{"size", "problem", "setting", "tunable"};

}  // namespace

const char* name_of(Role role) { return role_names[static_cast<std::size_t>(role)]; }

std::optional<Role> role_named(std::string_view name) {
  const auto found = std::ranges::find(role_names, name);
  if (found == role_names.end()) return std::nullopt;
  return static_cast<Role>(found - role_names.begin());
}

}  // namespace uotbench
