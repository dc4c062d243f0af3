// A stored run as a person reads it: groups, medians, speedups, warnings. Derived on reading, never stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/json.hpp"
#include "results/run_file.hpp"
#include "results/statistics.hpp"

namespace uotbench {

struct CaseView {
  const Record* record;
  std::string label;  ///< what tells it from its group: variant, other axes, worker
  std::optional<Summary> time;
  std::optional<double> bandwidth;    ///< bytes of the work model over the median, bytes per second
  std::optional<double> speedup;      ///< over the group's reference with the same worker, threads and cache
  std::vector<std::string> warnings;  ///< about its times
};

struct GroupView {
  std::string title;  ///< family and problem, e.g. "uot  M:4096 N:4096 data:colors"
  std::vector<CaseView> cases;
};

struct RunView {
  std::string reference;  ///< the variant speedups are over; empty: each group's first
  std::vector<GroupView> groups;
  std::vector<std::string> warnings;
};

RunView view_of(const Run& run);

/// Warnings, then the table, as text.
std::string table_of(const RunView& view);
/// Where the run is and what to try next: `command`, or how to finish it.
std::string signpost(const Run& run, const std::string& command);
/// The same rows as JSON, in base units.
Json json_of(const RunView& view);

}  // namespace uotbench
