// Counter groups: what is worth counting, and which events of which source it is made of. Data: a JSON file
// each, ours in configs/counters, a user's beside them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/json_fwd.hpp"
#include "results/expression/expression.hpp"

namespace uotbench {

/// An event under the name that formulas use.
struct GroupEvent {
  std::string source;  ///< the entry's own, unless it says "SOURCE:EVENT"
  std::string event;   ///< as that source calls it
  UnitOfMeasure unit;
};

/// How one source counts a group.
struct GroupSource {
  std::string source;
  std::vector<std::string> cpus;  ///< only on these, e.g. AuthenticAMD/25 (vendor, family, model); none: all
  std::map<std::string, GroupEvent> events;
  std::vector<std::pair<std::string, Formula>> counters;  ///< over its events and line_bytes

  bool is_for(const std::string& cpu) const;
};

struct GroupCounter {
  std::string name, unit, about;
  std::optional<double> must_be = {};  ///< a case with another value fails
};

struct CounterGroup {
  std::string name, about;
  std::vector<GroupCounter> counters;
  Document metrics;                  ///< a list of {"name", "formula", "unit", "about"}, as in the run file
  std::vector<GroupSource> sources;  ///< the best first

  std::string unit_of(const std::string& counter) const;
};

using CounterGroups = std::map<std::string, CounterGroup>;

/// All files of these folders; a missing folder has none. Every name is defined, units agree. Throws
/// UsageError naming file and place; a group that stands in two files is one, too.
CounterGroups read_counter_groups(const std::vector<std::filesystem::path>& folders);

/// Of a JSON object {NAME: {"formula", "unit", "about"}} the list that a run's first line has. Throws
/// UsageError for a name that formulas cannot have.
Json metrics_from(const Json& object, const std::string& where);

/// Throws UsageError "WHERE/NAME: ..." where a metric of such a list names what nothing defines, does not
/// come to its unit, or is called as a counter is.
void require_metrics(const Json& list, const CounterGroups& groups, const std::string& where);

}  // namespace uotbench
