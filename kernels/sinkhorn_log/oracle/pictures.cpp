#include "kernels/sinkhorn_log/oracle/pictures.hpp"

#include <algorithm>
#include <cmath>

namespace uotbench::sinkhorn_log {
namespace {

struct Shape {
  int kind;
  double x, y, size;  ///< centre and half the width, in widths of the picture
};

/// Distance of a place from the shape's edge; negative inside.
double from_edge(const Shape& shape, double x, double y) {
  const double dx = std::abs(x - shape.x), dy = std::abs(y - shape.y), r = std::hypot(dx, dy);
  switch (shape.kind) {
    case 0:
      return r - shape.size;
    case 1:
      return std::abs(r - .75 * shape.size) - .25 * shape.size;
    case 2:
      return std::max(dx, dy) - .8 * shape.size;
    case 3:
      return std::max(std::min(dx, dy) - .25 * shape.size, std::max(dx, dy) - shape.size);
    default:
      return std::min(r - .5 * shape.size,
                      std::hypot(x - (1 - shape.x), y - (1 - shape.y)) - .5 * shape.size);
  }
}

}  // namespace

void draw_picture(const RandomStream& random, std::size_t b, std::size_t side, std::span<double> pixels) {
  constexpr double ground = 1e-3;
  const auto drawn = [&](std::size_t k) { return random.uniform(4 * b + k); };
  const Shape shape{.kind = static_cast<int>(5 * drawn(0)),
                    .x = .3 + .4 * drawn(1),
                    .y = .3 + .4 * drawn(2),
                    .size = .15 + .15 * drawn(3)};
  const auto width = static_cast<double>(side);
  for (std::size_t k = 0; k < pixels.size(); ++k) {
    const double y = (static_cast<double>(k / side) + .5) / width;
    const double x = (static_cast<double>(k % side) + .5) / width;
    pixels[k] = ground + (1 - ground) * std::clamp(.5 - width * from_edge(shape, x, y), 0., 1.);
  }
}

}  // namespace uotbench::sinkhorn_log
