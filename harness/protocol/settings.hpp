// The settings of a point as kernels' workers hold it.
#pragma once

#include "harness/protocol/point.hpp"
#include "results/record/axes/settings.hpp"

namespace uotbench {

/// An axis that the point lacks has its default. Throws Error naming an axis that is of another type.
Settings settings_of(const Point& point);

}  // namespace uotbench
