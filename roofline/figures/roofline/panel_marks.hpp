// What a panel marks: its roofs, and the names of its points.
#pragma once

#include <vector>

#include "roofline/figures/roofline/panels.hpp"

namespace uotbench {

// The roofs of a roofline's panel.

/// Those that fit the panel's points, each level's best and the kernels that move data as the points do; of
/// `spec.level` alone where it names one. Throws UsageError: there is no such level.
void add_roofs(RoofPanel& panel, const Roofs& roofs, const FigureSpec& spec);

// What a roofline's points are called.

/// Each point's label: its variant's, and where a variant has several points, what differs among them
/// ("one_read 4096² 2 threads"); and its share of its roof. Of more points than a reader takes in, only each
/// variant's best has one.
void add_point_labels(std::vector<RoofPoint>& points);

}  // namespace uotbench
