#include "results/record/axes/old_roles.hpp"

#include <algorithm>
#include <array>

namespace uotbench {

// Stored runs and old workers have these names and no others: what is new tells its role.

bool was_size(std::string_view axis) { return axis == "M" || axis == "N"; }

bool was_setting(std::string_view axis) {
  constexpr std::array<std::string_view, 4> settings{"threads", "place", "cache", "order"};
  return std::ranges::find(settings, axis) != settings.end();
}

}  // namespace uotbench
