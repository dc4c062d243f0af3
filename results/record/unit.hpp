// What is timed and counted at a time: the one owner of these names.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace uotbench {

/// An iteration, a whole solve from the inputs to a solution, or the part of an iteration that a variant is
/// about.
enum class Unit { iteration, solve, part };

namespace units_of_timing {
inline constexpr std::array<std::pair<Unit, const char*>, 3> names{
    {{Unit::iteration, "iteration"}, {Unit::solve, "solve"}, {Unit::part, "part"}}};
}  // namespace units_of_timing

/// As records and messages have it.
constexpr const char* name_of(Unit unit) {
  for (const auto& [value, name] : units_of_timing::names)
    if (value == unit) return name;
  return "?";
}

/// Nothing for a name that is none of them.
constexpr std::optional<Unit> unit_from(std::string_view name) {
  for (const auto& [value, text] : units_of_timing::names)
    if (name == text) return value;
  return std::nullopt;
}

}  // namespace uotbench
