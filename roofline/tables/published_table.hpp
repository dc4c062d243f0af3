// What was published of a run's variants, beside what the run has of them.
#pragma once

#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/view/table.hpp"
#include "results/view/view.hpp"

namespace uotbench {

/// None where the run's sweep has no published values; else flop rates and counters beside ours, and the
/// theoretical occupancy of launches that were counted. Throws UsageError where the first line is unsound.
std::vector<Table> published_tables(const RunView& view);

/// The same in base units; null where the sweep has none.
Json published_json(const RunView& view);

}  // namespace uotbench
