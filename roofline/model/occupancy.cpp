#include "roofline/model/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace uotbench {
namespace {

constexpr int warp = 32;

}  // namespace

std::optional<LaunchShape> launch_shape_of(const Record& record, std::string& why) {
  double values[4];
  const char* const names[]{"GPU.launches", "GPU.blocks", "GPU.threads", "GPU.shared_bytes"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    const Counter counter = counter_or_why(record, names[i]);
    if (!counter.value) {
      why = fmt::format("{}: {}", names[i], counter.reason);
      return std::nullopt;
    }
    values[i] = *counter.value;
  }
  const auto [launches, blocks, threads, shared] = values;
  if (launches != 1 || !(blocks > 0)) {
    why = fmt::format("it is reported for one launch, and {} were counted", launches);
    return std::nullopt;
  }
  return LaunchShape{.blocks = blocks, .threads = threads / blocks, .shared_bytes = shared / blocks};
}

Occupancy occupancy_of(const LaunchShape& launch, const Multiprocessor& multiprocessor) {
  const double warps = std::ceil(launch.threads / warp), warps_possible = multiprocessor.threads / warp;
  std::pair<double, const char*> limits[]{{multiprocessor.blocks, "blocks"},
                                          {std::floor(warps_possible / warps), "threads"},
                                          {multiprocessor.blocks, "shared memory"}};
  if (launch.shared_bytes > 0)
    limits[2].first = std::floor(multiprocessor.shared_bytes / launch.shared_bytes);
  const auto least = *std::ranges::min_element(limits, {}, &std::pair<double, const char*>::first);
  Occupancy occupancy{.blocks = static_cast<int>(least.first), .limited_by = least.second};
  occupancy.theoretical = least.first * warps / warps_possible;
  if (occupancy.blocks > 0)
    occupancy.fill = std::min(1., launch.blocks / (least.first * multiprocessor.count));
  return occupancy;
}

}  // namespace uotbench
