// The settings of a case as runs and plans hold it.
#pragma once

#include "results/base/json_fwd.hpp"
#include "results/record/settings.hpp"

namespace uotbench {

/// An axis that the point lacks, or has as something else than its kind, has its default.
Settings settings_of(const Json& point);

}  // namespace uotbench
