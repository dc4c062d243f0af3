// The two scenes: sums of gradients and value noise. They exist so that colour transfer can be measured
// without anybody's photographs.
#include <algorithm>
#include <array>
#include <cmath>

#include "harness/worker/oracle/random.hpp"
#include "kernels/common/oracle/images.hpp"

namespace uotbench {
namespace {

constexpr std::size_t width = 480, height = 320;
constexpr std::int64_t scene_seed = 1;

using Color = std::array<double, 3>;

Color mix(const Color& one, const Color& other, double share) {
  const double s = std::clamp(share, 0., 1.);
  return {one[0] + s * (other[0] - one[0]), one[1] + s * (other[1] - one[1]),
          one[2] + s * (other[2] - one[2])};
}

/// 0 below `low`, 1 above `high`, smooth between.
double ramp(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0., 1.);
  return t * t * (3 - 2 * t);
}

/// Value noise in [0, 1]: random heights on the integer lattice, interpolated; four octaves.
double noise(double x, double y, std::uint64_t stream) {
  const RandomStream random(scene_seed, stream);
  const auto corner = [&](double i, double j) {
    return random.uniform(static_cast<std::size_t>(i + 4096) * 65536 + static_cast<std::size_t>(j + 4096));
  };
  double sum = 0, weight = .5;
  for (int octave = 0; octave < 4; ++octave, weight /= 2, x *= 2, y *= 2) {
    const double i = std::floor(x), j = std::floor(y), s = ramp(0, 1, x - i), t = ramp(0, 1, y - j);
    sum += weight * std::lerp(std::lerp(corner(i, j), corner(i + 1, j), s),
                              std::lerp(corner(i, j + 1), corner(i + 1, j + 1), s), t);
  }
  return sum / (1 - weight * 2);
}

/// x from left to right, y from top to bottom, both in [0, 1).
Color meadow(double x, double y) {
  const double horizon = .42 + .05 * std::sin(5 * x + 1) + .02 * noise(8 * x, 0, 1);
  if (y < horizon) {
    const Color sky = mix({.18, .42, .78}, {.72, .86, .95}, y / horizon);
    return mix(sky, {.97, .97, .98}, ramp(.52, .72, noise(5 * x, 9 * y, 2)));
  }
  const double depth = (y - horizon) / (1 - horizon);  // 0 far away, 1 at our feet
  const double blade = noise(60 * x / (.4 + depth), 40 * std::sqrt(depth), 3);
  const Color grass = mix({.55, .68, .33}, {.13, .38, .09}, .7 * depth + .6 * (blade - .4));
  const double flower = noise(90 * x, 70 * y, 4);
  if (flower > .72) return mix(grass, {.98, .85, .15}, 3 * depth);
  if (flower < .26) return mix(grass, {.82, .12, .16}, 3 * depth);
  return grass;
}

Color sunset(double x, double y) {
  constexpr double horizon = .62, sun_x = .64, sun_y = .52;
  const Color violet{.20, .12, .34}, orange{.96, .52, .18}, gold{1., .91, .62};
  const double away = std::hypot(1.5 * (x - sun_x), y - sun_y);  // the picture is 3:2
  if (y < horizon) {
    Color sky = mix(violet, orange, std::pow(y / horizon, 1.6));
    sky = mix(sky, {.50, .16, .26}, ramp(.50, .66, noise(3 * x, 14 * y, 5)));
    return mix(sky, gold, away < .09 ? .96 : .8 * std::exp(-6 * away));
  }
  const double depth = (y - horizon) / (1 - horizon);
  const Color sea = mix({.66, .33, .22}, {.05, .07, .16}, std::sqrt(depth));
  const double ripple = noise(12 * x, 80 * std::sqrt(depth), 6);
  const double glitter = std::exp(-std::abs(x - sun_x) / (.04 + .15 * depth)) * ramp(.40, .65, ripple);
  return mix(mix(sea, {.30, .16, .24}, .7 * (ripple - .3)), gold, glitter);
}

Image drawn(Color (*scene)(double x, double y)) {
  Image image{.width = width, .height = height, .rgb = {}};
  image.rgb.reserve(3 * width * height);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      for (const double channel : scene(static_cast<double>(x) / width, static_cast<double>(y) / height))
        image.rgb.push_back(static_cast<std::uint8_t>(std::lround(255 * std::clamp(channel, 0., 1.))));
  return image;
}

}  // namespace

Image draw_meadow() { return drawn(meadow); }
Image draw_sunset() { return drawn(sunset); }

}  // namespace uotbench
