// The roofs of a roofline's panel.
#pragma once

#include "roofline/figures/roofline/panels.hpp"

namespace uotbench {

/// Those that fit the panel's points, each level's best and the kernels that move data as the points do; of
/// `spec.level` alone where it names one. Throws UsageError: there is no such level.
void add_roofs(RoofPanel& panel, const Roofs& roofs, const FigureSpec& spec);

}  // namespace uotbench
