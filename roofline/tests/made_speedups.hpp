// Runs of kernels on square matrices, and the check that a chart's hotspots are where its points are.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "roofline/tests/made_rounds.hpp"

namespace uotbench {

inline Rounds timed(const std::string& variant, int size, int threads, const std::vector<double>& seconds) {
  const double bytes = 4. * size * size;
  return {.variant = variant,
          .point = {{"M", size}, {"N", size}, {"threads", threads}},
          .seconds = seconds,
          .work = {.flops = bytes, .bytes_read = bytes, .bytes_written = bytes, .working_set = bytes}};
}

/// Over uot/base, uot/ours is 2 and 4 times as fast.
inline Run two_speedups() {
  return run_of_rounds(
      {timed("uot/base", 512, 1, {2e-3, 2e-3, 2e-3}), timed("uot/ours", 512, 1, {1e-3, 1.1e-3, 0.9e-3}),
       timed("uot/base", 1024, 1, {8e-3, 8e-3, 8e-3}), timed("uot/ours", 1024, 1, {2e-3, 2e-3, 2e-3})});
}

/// Every hotspot of a chart of points has a marker in its middle.
inline void expect_markers_at_hotspots(const Drawing& drawing) {
  const auto markers = markers_in(svg_of(drawing, "t"), drawing);
  for (const auto& spot : drawing.hotspots) {
    double nearest = 1e9;
    for (const auto& at : markers)
      nearest = std::min(
          nearest, std::hypot(at.x - (spot.left + spot.right) / 2, at.y - (spot.bottom + spot.top) / 2));
    EXPECT_LT(nearest, 0.015) << spot.text;  // cm
  }
}

}  // namespace uotbench
