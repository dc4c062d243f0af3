// What a case's axes are for: those of the problem say what is computed (equal in a group), the others how.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/base/json.hpp"
#include "results/base/value_json.hpp"
#include "results/record/record.hpp"

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

/// The axes of every family's problem, from a run's first line.
class ProblemAxes {
 public:
  explicit ProblemAxes(const Json& header);

  bool contains(const std::string& family, const std::string& axis) const;
  /// An id that is not built from variant and worker is one part of its own.
  CaseParts parts(const Record& record) const;

 private:
  std::map<std::string, std::set<std::string>> of_family_;
};

/// True for the axes that say on what part of the machine, and in which state, a case runs: what two cases
/// must share to be compared fairly.
inline bool is_setting(const std::string& axis) {
  return axis == "threads" || axis == "cache" || axis == "place";
}

}  // namespace uotbench
