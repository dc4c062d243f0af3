#include "results/record/axes/case_parts.hpp"

#include <algorithm>
#include <array>

namespace uotbench {

std::string family_of(const Record& record) { return record.variant.substr(0, record.variant.rfind('/')); }

std::string short_variant(const Record& record) {
  return record.variant.substr(record.variant.rfind('/') + 1);  // npos + 1 is 0
}

std::string axis_of(const std::string& part) { return part.substr(0, part.find(':')); }

AxisRoles::AxisRoles(const RunHeader& header) {
  for (const auto& [family, axes] : header.problem_axes) problem_[family].insert(axes.begin(), axes.end());
  for (const auto& [family, roles] : header.axis_roles)
    for (const auto& [axis, name] : roles)
      if (const auto role = role_named(name)) told_[family][axis] = *role;
}

std::optional<Role> AxisRoles::told(const std::string& family, const std::string& axis) const {
  const auto roles = told_.find(family);
  if (roles == told_.end()) return std::nullopt;
  const auto role = roles->second.find(axis);
  return role == roles->second.end() ? std::nullopt : std::optional(role->second);
}

bool AxisRoles::is_problem(const std::string& family, const std::string& axis) const {
  const auto axes = problem_.find(family);
  return axes != problem_.end() && axes->second.contains(axis);
}

bool AxisRoles::is_size(const std::string& family, const std::string& axis) const {
  // A variant's own size, that of a tile, is none of the problem's.
  if (problem_.contains(family) && !is_problem(family, axis)) return false;
  const auto role = told(family, axis);
  return role ? role == Role::size : was_size(axis);
}

bool AxisRoles::is_setting(const std::string& family, const std::string& axis) const {
  const auto role = told(family, axis);
  return role ? role == Role::setting : was_setting(axis);
}

std::vector<std::string> AxisRoles::sizes(const Record& record) const {
  const std::string family = family_of(record);
  std::vector<std::string> sizes;
  for (const auto& axis : record.point.names())
    if (is_size(family, axis)) sizes.push_back(axis);
  return sizes;
}

CaseParts AxisRoles::parts(const Record& record) const {
  CaseParts parts;
  const auto worker = record.id.rfind('@');
  if (!record.id.starts_with(record.variant) || worker == std::string::npos ||
      worker < record.variant.size()) {  // written by hand, or by something else
    parts.own.push_back(record.id);
    return parts;
  }
  const std::string family = family_of(record);
  for (std::size_t at = record.variant.size(); at < worker;) {
    const auto end = std::min(record.id.find('/', at + 1), worker);
    std::string part = record.id.substr(at + 1, end - at - 1);
    (is_problem(family, axis_of(part)) ? parts.problem : parts.own).push_back(std::move(part));
    at = end;
  }
  return parts;
}

// Stored runs and old workers have these names and no others: what is new tells its role.

bool was_size(std::string_view axis) { return axis == "M" || axis == "N"; }

bool was_setting(std::string_view axis) {
  constexpr std::array<std::string_view, 4> settings{"threads", "place", "cache", "order"};
  return std::ranges::find(settings, axis) != settings.end();
}

}  // namespace uotbench
