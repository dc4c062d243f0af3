// The settings of a case as runs and plans hold it.
#pragma once

#include <string_view>

#include "results/base/document.hpp"
#include "results/base/json_fwd.hpp"
#include "results/record/axes/settings.hpp"

namespace uotbench {

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

}  // namespace uotbench
