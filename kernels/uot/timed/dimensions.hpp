// Coordinates of a point's points, for variants that need some.
#pragma once

#include <cstdint>
#include <string>

#include "harness/protocol/point.hpp"

namespace uotbench::uot {

/// As the oracle derives them; 0: the data have none.
inline std::int64_t dimensions_of(const Point& at) {
  if (at.has("d")) return at.integer("d");
  const std::string data = at.text("data");  // of a worker by itself
  if (data == "uniform" || data == "npy" || data == "likelihood") return 0;
  return data == "colors" ? 3 : data == "surface" ? 8 : 2;
}

/// "npy of 5": what a variant refuses that needs other dimensions.
inline std::string data_and_dimensions(const Point& at) {
  const std::int64_t d = dimensions_of(at);
  return at.text("data") + (d > 0 ? " of " + std::to_string(d) : "");
}

}  // namespace uotbench::uot
