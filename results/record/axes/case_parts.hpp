// What a case's axes are for: those of the problem say what is computed (equal in a group), the others how.
// The settings among them as runs and plans hold them, and times that no machine can reach at these settings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/json_fwd.hpp"
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

/// An axis that the point lacks, or has as something else than its kind, has its default.
Settings settings_of(const Json& point);
Settings settings_of(const ObjectDocument& point);

/// What a setting of the harness is where a point does not have it; null of any other axis.
const Json* default_setting(std::string_view axis);
/// A setting at its default is as one that is absent: a worker may know no other state of the caches.
bool is_default_setting(std::string_view axis, const Json& value);

/// Of a point that has ranks, as other cases' points match it: one rank is not said; `by_cpus`: ranks and
/// threads are one number, as `threads`, that of its CPUs. Null for any other point: it matches as it is.
Json matched_point(const Json& point, bool by_cpus);

/// Why an `ok` record cannot be true: its work and its median exceed what any CPU core can load, store or
/// compute (the record's threads x ranks cores), or any GPU. Empty: it can be, or it says too little.
std::string why_impossible(const Record& record);

/// Makes such a record failed, with that reason.
void refuse_impossible(Record& record);

}  // namespace uotbench
