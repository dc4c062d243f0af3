#include "kernels/uot/oracle/drawn.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace uotbench::uot {
namespace {

using std::numbers::pi;

/// How many of `count` are of the first moon.
std::size_t of_first_moon(std::size_t count, bool rows) { return rows ? count / 2 : count - count / 4; }

/// Points evenly along both moons, with noise, turned about the middle of the two.
std::vector<double> moon_points(std::size_t count, bool rows, double degrees, const RandomStream& random) {
  constexpr double noise = .1, middle_x = .5, middle_y = .25;
  const std::size_t firsts = of_first_moon(count, rows);
  const double cosine = std::cos(degrees * pi / 180), sine = std::sin(degrees * pi / 180);
  std::vector<double> places;
  for (std::size_t k = 0; k < count; ++k) {
    const bool first = k < firsts;
    const auto of = static_cast<double>(first ? firsts : count - firsts);
    const double angle = pi * (static_cast<double>(first ? k : k - firsts) + .5) / of;
    const auto [right, up] = normal_pair(random.uniform(2 * k), random.uniform(2 * k + 1));
    const double x = (first ? std::cos(angle) : 1 - std::cos(angle)) + noise * right - middle_x;
    const double y = (first ? std::sin(angle) : .5 - std::sin(angle)) + noise * up - middle_y;
    places.insert(places.end(), {cosine * x - sine * y + middle_x, sine * x + cosine * y + middle_y});
  }
  return places;
}

/// Point k of `count` that cover a sphere evenly (a Fibonacci lattice), the lattice turned about its axis.
std::array<double, 3> on_sphere(std::size_t k, std::size_t count, double turned) {
  const double z = 1 - (2 * static_cast<double>(k) + 1) / static_cast<double>(count);
  const double angle = pi * (3 - std::sqrt(5.)) * static_cast<double>(k) + turned, r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

constexpr double turn = .3;

/// Smooth functions of a place on a surface, a sphere with a nose and a waist.
std::vector<double> features(std::size_t count, double turned, double noise, const RandomStream& random) {
  std::vector<double> all;
  for (std::size_t k = 0; k < count; ++k) {
    const auto [x, y, z] = on_sphere(k, count, turned);
    const double radius = 1 + .3 * std::exp(-8 * (1 - x)) - .2 * std::exp(-8 * z * z);
    const std::array<double, surface_features> values{
        radius * x, radius * y, radius * z, x * y, y * z, z * x, x * x - y * y, 1.5 * z * z - .5};
    for (std::size_t c = 0; c < surface_features; ++c) {
      const std::size_t at = 2 * (surface_features * k + c);
      all.push_back(values[c] + noise * normal_pair(random.uniform(at), random.uniform(at + 1)).first);
    }
  }
  return all;
}

}  // namespace

std::pair<double, double> normal_pair(double one, double other) {
  const double radius = std::sqrt(-2 * std::log(1 - one)), angle = 2 * pi * other;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

std::vector<std::int32_t> drawn_pixels(const Image& image, std::size_t count, const RandomStream& random) {
  std::vector<std::int32_t> pixels(count);
  for (std::size_t i = 0; i < count; ++i)
    pixels[i] = static_cast<std::int32_t>(random.below(i, image.width * image.height));
  return pixels;
}

Clouds moons(const Point& point) {
  const std::int64_t seed = point.integer("seed");
  Clouds clouds(2);
  clouds.from = moon_points(point.size("M"), true, 0, {seed, row_point});
  clouds.to = moon_points(point.size("N"), false, 40, {seed, column_point});
  clouds.round();
  return clouds;
}

std::vector<double> moon_labels(std::size_t count, bool rows) {
  std::vector<double> labels(count, 1);
  std::fill_n(labels.begin(), of_first_moon(count, rows), 0.);
  return labels;
}

Clouds surfaces(const Point& point) {
  const std::int64_t seed = point.integer("seed");
  Clouds clouds(surface_features);
  clouds.from = features(point.size("M"), 0, 0, {seed, row_point});
  clouds.to = features(point.size("N"), turn, .1, {seed, column_point});
  clouds.round();
  return clouds;
}

double surface_angle(std::size_t i, std::size_t M, std::size_t j, std::size_t N) {
  const auto one = on_sphere(i, M, 0), other = on_sphere(j, N, turn);
  const double cosine = one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
  return std::acos(std::clamp(cosine, -1., 1.)) * 180 / pi;
}

std::vector<double> evidence(const Point& point) {
  const RandomStream random(point.integer("seed"), kernel);
  std::vector<double> table(point.size("M") * point.size("N"));
  for (std::size_t k = 0; k < table.size(); ++k) table[k] = std::pow(1 - random.uniform(k), 4);
  return table;
}

std::vector<double> likelihoods(std::vector<double> evidence, std::size_t N) {
  std::vector<double> sums(N, 0);
  for (std::size_t k = 0; k < evidence.size(); ++k) sums[k % N] += evidence[k];
  for (std::size_t k = 0; k < evidence.size(); ++k) evidence[k] /= sums[k % N];
  return evidence;
}

}  // namespace uotbench::uot
