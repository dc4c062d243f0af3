// What a case's axes are for: those of the problem say what is computed (equal in a group), the others how.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "results/record/axes/settings.hpp"
#include "results/record/record.hpp"
#include "results/record/run_header.hpp"

namespace uotbench {

/// "uot" of "uot/map_uot".
std::string family_of(const Record& record);
/// "map_uot" of "uot/map_uot".
std::string short_variant(const Record& record);

/// An id's "axis:value" parts, by what they are for. Axes at their defaults are not in an id.
struct CaseParts {
  std::vector<std::string> problem;
  std::vector<std::string> own;
};

/// "threads" of "threads:2".
std::string axis_of(const std::string& part);

/// What the axes of every family's cases are for, from a run's first line; where that is older than roles, by
/// their names.
class AxisRoles {
 public:
  explicit AxisRoles(const RunHeader& header);

  /// True for the axes that say what is computed: sizes, and others.
  bool is_problem(const std::string& family, const std::string& axis) const;
  bool is_size(const std::string& family, const std::string& axis) const;
  bool is_setting(const std::string& family, const std::string& axis) const;
  /// The sizes of a case's problem, in the order of its point.
  std::vector<std::string> sizes(const Record& record) const;
  /// An id that is not built from variant and worker is one part of its own.
  CaseParts parts(const Record& record) const;

 private:
  /// Absent where the run does not say it.
  std::optional<Role> told(const std::string& family, const std::string& axis) const;

  std::unordered_map<std::string, std::unordered_set<std::string>> problem_;
  std::unordered_map<std::string, std::unordered_map<std::string, Role>> told_;
};

// What axes were for, by name: for runs and workers from before axes had roles.

/// Of a family's axes, true for those that were its sizes.
bool was_size(std::string_view axis);
/// Of all other axes, true for those that were settings.
bool was_setting(std::string_view axis);

}  // namespace uotbench
