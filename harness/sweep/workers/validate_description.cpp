#include "harness/sweep/workers/validate_description.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/protocol/axis_json.hpp"
#include "results/base/document.hpp"
#include "results/base/value_json.hpp"

namespace uotbench {
namespace {

bool consists_of(const std::string& text, const std::string& others) {
  return !text.empty() && std::ranges::all_of(text, [&](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(static_cast<char>(c)) != std::string::npos;
  });
}

std::optional<Violation> validate_description(const Axis& axis) {
  if (!consists_of(axis.name, "_"))
    return found_instead(fmt::format("the axis name \"{}\"", axis.name), "letters, digits and '_'");
  if (axis.role == Role::problem || axis.role == Role::size)
    return found_instead(fmt::format("the axis {} has the role {}", axis.name, name_of(axis.role)),
                         "setting or tunable: what is computed is the family's");
  if (axis.derived || axis.standard.is_none())
    return found_instead(fmt::format("the axis {} has no default", axis.name),
                         "a default that never changes");
  if (const auto reason = value_violation(axis, axis.standard); !reason.empty())
    return found_instead(fmt::format("the axis {} does not accept its own default: {}", axis.name, reason),
                         "a default that is one of its values");
  return std::nullopt;
}

}  // namespace

std::optional<Violation> validate_description(const VariantInfo& variant,
                                              const std::set<std::string>& others) {
  const auto slash = variant.name.rfind('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == variant.name.size())
    return found_instead(fmt::format("the name \"{}\"", variant.name), "FAMILY/VARIANT, such as uot/mine");
  if (!consists_of(variant.name, "_.+-/"))
    return found_instead(fmt::format("the name \"{}\"", variant.name),
                         "letters, digits, '_', '.', '+' and '-' around one '/'");
  if (others.contains(variant.name)) return found_instead("two variants have this name", "each variant once");
  std::set<std::string> names;
  for (const auto& axis : variant.axes) {
    if (auto wrong = validate_description(axis)) return wrong;
    if (!names.insert(axis.name).second)
      return found_instead(fmt::format("the axis {} is there twice", axis.name), "each axis once");
  }
  for (const auto& json : variant.points) {
    const ObjectDocument point(json);
    for (const auto& name : point.names()) {
      const auto axis = std::ranges::find(variant.axes, name, &Axis::name);
      if (axis == variant.axes.end())
        return found_instead(fmt::format("a point has the axis {}", name), "one of its own axes");
      if (const auto reason = axis_violation(*axis, *point.find(name)); !reason.empty())
        return found_instead(fmt::format("a point's {}: {}", name, reason), "a value that the axis accepts");
    }
  }
  return std::nullopt;
}

std::optional<Violation> validate_description(const VariantInfo& variant, const FamilyInfo& family) {
  for (const auto& axis : variant.axes)
    if (std::ranges::find(family.axes, axis.name, &Axis::name) != family.axes.end())
      return found_instead(fmt::format("the axis {} is the family's", axis.name),
                           "a name of its own, or no such axis");
  return std::nullopt;
}

std::optional<Violation> loose_tolerance(const VariantInfo& variant, const FamilyInfo& family) {
  if (!variant.tolerance || *variant.tolerance <= family.loosest) return std::nullopt;
  return found_instead(
      fmt::format("{} declares a tolerance of {}", variant.name, *variant.tolerance),
      fmt::format("at most {}, with which the family {} still distinguishes right from wrong", family.loosest,
                  family.name));
}

}  // namespace uotbench
