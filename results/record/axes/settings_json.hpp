// The settings of a case as runs and plans hold it.
#pragma once

#include "results/base/json_fwd.hpp"
#include "results/record/axes/settings.hpp"

namespace uotbench {

/// An axis that the point lacks, or has as something else than its kind, has its default.
Settings settings_of(const Json& point);

/// Of a point that has ranks, as other cases' points match it: one rank is not said; `by_cpus`: ranks and
/// threads are one number, as `threads`, that of its CPUs. Null for any other point: it matches as it is.
Json matched_point(const Json& point, bool by_cpus);

}  // namespace uotbench
