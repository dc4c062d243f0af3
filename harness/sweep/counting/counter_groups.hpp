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

// The names that formulas may use, and their units: formulas over the events of a source while a case is
// counted, and metrics, which are computed when a run is read.

class FormulaNames {
 public:
  /// What is there besides events or counters. results/view/metrics.hpp says what the names at reading are.
  enum class When { counting, reading };

  explicit FormulaNames(When when);
  void add(const std::string& name, const UnitOfMeasure& unit) { units_.insert_or_assign(name, unit); }

  /// Throws UsageError where the formula names what is not here, or does not come to `unit`.
  void require(const Formula& formula, const UnitOfMeasure& unit, const std::string& where) const;
  /// Throws UsageError where a formula could not name it, or would take it for something else.
  void require_free(const std::string& name, const std::string& where) const;

 private:
  /// Null: nothing has this name.
  const UnitOfMeasure* unit_of(const std::string& name) const;

  When when_;
  std::vector<std::string> builtin_;
  /// Of names that only a run knows, too, once they were asked for.
  mutable std::map<std::string, UnitOfMeasure> units_;
};

}  // namespace uotbench
