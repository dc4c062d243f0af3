// What a roofline's points are called.
#pragma once

#include <vector>

#include "roofline/figures/roofline/panels.hpp"

namespace uotbench {

/// Each point's label: its variant's, and where a variant has several points, what differs among them
/// ("one_read 4096² 2 threads"); and its share of its roof. Of more points than a reader takes in, only each
/// variant's best has one.
void add_point_labels(std::vector<RoofPoint>& points);

}  // namespace uotbench
