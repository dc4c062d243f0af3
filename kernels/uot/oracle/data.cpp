#include "kernels/uot/oracle/data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "harness/worker/parallel.hpp"
#include "harness/worker/random.hpp"
#include "kernels/uot/oracle/images.hpp"
#include "kernels/uot/oracle/user_arrays.hpp"
#include "results/error.hpp"

namespace uotbench::uot {
namespace {

// Streams of the seed: what is drawn never depends on what else is drawn.
enum Stream : std::uint64_t { kernel, row_mass, column_mass, row_point, column_point };

template <class Real>
void fill_random(std::span<Real> values, const RandomStream& random, double offset, double scale) {
#pragma omp parallel for schedule(static) if (values.size() >= worth_a_team)
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<Real>(offset + scale * random.uniform(i));
}

/// The data of the MAP-UOT authors: everything uniform in [0, 100].
template <class Real>
void fill_uniform(std::int64_t seed, Inputs<Real>& inputs) {
  inputs.from_cost = false;
  fill_random(inputs.K, {seed, kernel}, 0, 100);
  fill_random(inputs.a, {seed, row_mass}, 0, 100);
  fill_random(inputs.b, {seed, column_mass}, 0, 100);
}

template <std::size_t D>
using Place = std::array<double, D>;

template <std::size_t D>
double squared_distance(const Place<D>& one, const Place<D>& other) {
  double sum = 0;
  for (std::size_t d = 0; d < D; ++d) sum += (one[d] - other[d]) * (one[d] - other[d]);
  return sum;
}

/// K = exp(-C/reg), C the squared Euclidean distances.
template <class Real, std::size_t D>
void fill_gibbs(const std::vector<Place<D>>& from, const std::vector<Place<D>>& to, double reg,
                Inputs<Real>& inputs) {
#pragma omp parallel for schedule(static) if (inputs.K.size() >= worth_a_team)
  for (std::size_t i = 0; i < from.size(); ++i)
    for (std::size_t j = 0; j < to.size(); ++j)
      inputs.K[i * inputs.N + j] = static_cast<Real>(std::exp(-squared_distance(from[i], to[j]) / reg));
}

template <class Real>
void fill_equal_masses(Inputs<Real>& inputs) {
  std::ranges::fill(inputs.a, static_cast<Real>(1 / static_cast<double>(inputs.M)));
  std::ranges::fill(inputs.b, static_cast<Real>(1 / static_cast<double>(inputs.N)));
}

std::vector<Place<2>> cloud(std::size_t count, const RandomStream& random) {
  std::vector<Place<2>> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = {random.uniform(2 * i), random.uniform(2 * i + 1)};
  return places;
}

/// Two random clouds in the unit square; masses differ by up to a factor of 3 and their sums need not agree.
template <class Real>
void fill_points(std::int64_t seed, double reg, Inputs<Real>& inputs) {
  fill_gibbs(cloud(inputs.M, {seed, row_point}), cloud(inputs.N, {seed, column_point}), reg, inputs);
  const double rows = static_cast<double>(inputs.M), columns = static_cast<double>(inputs.N);
  fill_random(inputs.a, {seed, row_mass}, .5 / rows, 1 / rows);
  fill_random(inputs.b, {seed, column_mass}, .5 / columns, 1 / columns);
}

/// Normal in both coordinates around (mean, mean), but the last fifth: noise in the unit square at (far,
/// far).
std::vector<Place<2>> noisy_cloud(std::size_t count, double mean, double correlation, double far,
                                  const RandomStream& random) {
  std::vector<Place<2>> places(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double one = random.uniform(2 * i), other = random.uniform(2 * i + 1);
    if (i >= count - count / 5) {
      places[i] = {far + one, far + other};
    } else {  // Box and Muller 1958
      const double radius = std::sqrt(-2 * std::log(1 - one)), angle = 2 * std::numbers::pi * other;
      const double x = radius * std::cos(angle), y = radius * std::sin(angle);
      places[i] = {mean + x, mean + correlation * x + std::sqrt(1 - correlation * correlation) * y};
    }
  }
  return places;
}

/// 2-D entropic unbalanced transport as in POT's example plot_unbalanced_OT, whose 40 + 10 points are M = N =
/// 50: two normal clouds with noise far from them, equal masses, the costs divided by their maximum.
template <class Real>
void fill_noisy(std::int64_t seed, double reg, Inputs<Real>& inputs) {
  const auto from = noisy_cloud(inputs.M, -1, 0, -4, {seed, row_point});
  const auto to = noisy_cloud(inputs.N, 4, -.8, 6, {seed, column_point});
  double largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest) if (inputs.K.size() >= worth_a_team)
  for (std::size_t i = 0; i < from.size(); ++i)
    for (const auto& place : to) largest = std::max(largest, squared_distance(from[i], place));
  fill_gibbs(from, to, reg * largest, inputs);
  fill_equal_masses(inputs);
}

std::vector<Place<3>> colors(const Image& image, std::size_t count, const RandomStream& random) {
  std::vector<Place<3>> places(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t pixel = random.below(i, image.width * image.height);
    for (std::size_t c = 0; c < 3; ++c) places[i][c] = image.rgb[3 * pixel + c] / 255.;
  }
  return places;
}

/// Colour transfer as in POT's example plot_otda_color_images: random pixels of two images, equal masses.
template <class Real>
void fill_colors(const Point& point, Inputs<Real>& inputs) {
  const std::int64_t seed = point.integer("seed");
  const Image source = load_image("source", point.text("source"));
  const Image target = load_image("target", point.text("target"));
  fill_gibbs(colors(source, inputs.M, {seed, row_point}), colors(target, inputs.N, {seed, column_point}),
             point.number("reg"), inputs);
  fill_equal_masses(inputs);
}

}  // namespace

template <class Real>
void fill(const Point& point, Inputs<Real>& inputs) {
  const std::string data = point.text("data");
  if (data == "uniform") return fill_uniform(point.integer("seed"), inputs);
  if (data == "points") return fill_points(point.integer("seed"), point.number("reg"), inputs);
  if (data == "noisy") return fill_noisy(point.integer("seed"), point.number("reg"), inputs);
  if (data == "colors") return fill_colors(point, inputs);
  if (data == "npy") return read_user_arrays(point, inputs);
  throw Error("data: \"" + data + "\" is not one of uniform, points, noisy, colors, npy");
}

template void fill(const Point&, Inputs<float>&);
template void fill(const Point&, Inputs<double>&);

}  // namespace uotbench::uot
