#include "kernels/uot/oracle/data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "harness/worker/oracle/random.hpp"
#include "harness/worker/parallel.hpp"
#include "kernels/common/oracle/images.hpp"
#include "kernels/uot/oracle/drawn.hpp"
#include "kernels/uot/oracle/gibbs.hpp"
#include "kernels/uot/oracle/user_arrays.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {
namespace {

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
  fill_random(inputs.b, {seed, column_mass}, 0, 100 * inputs.mass_b);
}

/// K, and C and the points where they are wanted. Masses first: K may need them.
template <class Real>
void fill_from(const Clouds& clouds, double reg, Inputs<Real>& inputs) {
  const auto rounded = [](double x) { return static_cast<Real>(x); };
  std::ranges::transform(clouds.from, inputs.X.begin(), rounded);
  std::ranges::transform(clouds.to, inputs.Y.begin(), rounded);
  if (inputs.K.empty()) return;
  const Coordinates columns(clouds.to, clouds.dims);
  constexpr std::size_t most = 512;  // costs that L1 holds
#pragma omp parallel for schedule(static) if (inputs.K.size() >= worth_a_team)
  for (std::size_t i = 0; i < inputs.M; ++i)
    for (std::size_t first = 0; first < inputs.N; first += most) {
      double costs[most];
      const std::span<double> block(costs, std::min(most, inputs.N - first));
      columns.squared_distances(&clouds.from[i * clouds.dims], first, block);
      make_gibbs(inputs, i * inputs.N + first, reg, block);
      Real* const cells = &inputs.K[i * inputs.N + first];
      const std::size_t count = block.size();
#pragma omp simd
      for (std::size_t k = 0; k < count; ++k) cells[k] = static_cast<Real>(costs[k]);
    }
}

template <class Real>
void fill_equal_masses(Inputs<Real>& inputs) {
  std::ranges::fill(inputs.a, static_cast<Real>(1 / static_cast<double>(inputs.M)));
  std::ranges::fill(inputs.b, static_cast<Real>(inputs.mass_b / static_cast<double>(inputs.N)));
}

std::vector<double> cloud(std::size_t count, const RandomStream& random) {
  std::vector<double> places(2 * count);
  for (std::size_t k = 0; k < places.size(); ++k) places[k] = random.uniform(k);
  return places;
}

/// Masses differ by up to a factor of 3, and their sums need not agree.
template <class Real>
void fill_masses(std::int64_t seed, Inputs<Real>& inputs) {
  const double rows = static_cast<double>(inputs.M), columns = static_cast<double>(inputs.N);
  fill_random(inputs.a, {seed, row_mass}, .5 / rows, 1 / rows);
  fill_random(inputs.b, {seed, column_mass}, .5 * inputs.mass_b / columns, inputs.mass_b / columns);
}

/// Two random clouds in the unit square; `self`: one, with itself.
template <class Real>
Clouds points(const Point& point, Inputs<Real>& inputs) {
  const std::int64_t seed = point.integer("seed");
  fill_masses(seed, inputs);
  Clouds clouds(2);
  clouds.from = cloud(inputs.M, {seed, row_point});
  clouds.to = point.text("data") == "self" ? clouds.from : cloud(inputs.N, {seed, column_point});
  clouds.round();
  return clouds;
}

/// Of every hypothesis, a column, the probabilities of the data; all rows and all columns count the same.
template <class Real>
void fill_likelihoods(const Point& point, Inputs<Real>& inputs) {
  inputs.from_cost = false;
  fill_equal_masses(inputs);
  if (inputs.K.empty()) return;
  const auto K = likelihoods(evidence(point), inputs.N);
  std::ranges::transform(K, inputs.K.begin(), [](double x) { return static_cast<Real>(x); });
}

/// Normal in both coordinates around (mean, mean), but the last fifth: noise in the unit square at (far,
/// far).
std::vector<double> noisy_cloud(std::size_t count, double mean, double correlation, double far,
                                const RandomStream& random) {
  std::vector<double> places;
  places.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const double one = random.uniform(2 * i), other = random.uniform(2 * i + 1);
    if (i >= count - count / 5) {
      places.insert(places.end(), {far + one, far + other});
    } else {
      const auto [x, y] = normal_pair(one, other);
      places.insert(places.end(),
                    {mean + x, mean + correlation * x + std::sqrt(1 - correlation * correlation) * y});
    }
  }
  return places;
}

/// 2-D entropic unbalanced transport as in POT's example plot_unbalanced_OT, whose 40 + 10 points are M = N =
/// 50: two normal clouds with noise far from them, equal masses, the costs divided by their maximum.
template <class Real>
Clouds noisy(const Point& point, Inputs<Real>& inputs) {
  fill_equal_masses(inputs);
  const std::int64_t seed = point.integer("seed");
  Clouds clouds(2);
  clouds.from = noisy_cloud(inputs.M, -1, 0, -4, {seed, row_point});
  clouds.to = noisy_cloud(inputs.N, 4, -.8, 6, {seed, column_point});
  double largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest) if (inputs.M * inputs.N >= worth_a_team)
  for (std::size_t i = 0; i < inputs.M; ++i)
    for (std::size_t j = 0; j < inputs.N; ++j) largest = std::max(largest, clouds.cost(i, j));
  for (auto* places : {&clouds.from, &clouds.to})
    for (double& x : *places) x /= std::sqrt(largest);
  clouds.round();
  return clouds;
}

std::vector<double> colors_of(const Image& image, const std::vector<std::int32_t>& pixels) {
  std::vector<double> places;
  places.reserve(3 * pixels.size());
  for (const auto drawn : pixels) {
    const auto pixel = static_cast<std::size_t>(drawn);
    for (std::size_t c = 0; c < 3; ++c) places.push_back(image.rgb[3 * pixel + c] / 255.);
  }
  return places;
}

/// Colour transfer as in POT's example plot_otda_color_images: random pixels of two images, equal masses.
template <class Real>
Clouds colors(const Point& point, Inputs<Real>& inputs) {
  fill_equal_masses(inputs);
  Clouds clouds(3);
  const Image source = load_image("source", point.text("source")),
              target = load_image("target", point.text("target"));
  clouds.from = colors_of(source, drawn_pixels(source, inputs.M, {point.integer("seed"), row_point}));
  clouds.to = colors_of(target, drawn_pixels(target, inputs.N, {point.integer("seed"), column_point}));
  clouds.round();
  return clouds;
}

}  // namespace

template <class Real>
void make_gibbs(const Inputs<Real>& inputs, std::size_t first, double reg, std::span<double> costs) {
  double* const cells = costs.data();
  const std::size_t count = costs.size();
  if (!inputs.C.empty())
    std::ranges::transform(costs, &inputs.C[first], [](double c) { return static_cast<Real>(c); });
  if (inputs.rounded && sizeof(Real) < sizeof(double)) {
    constexpr double most = std::numeric_limits<Real>::max(), any = std::numeric_limits<double>::max();
#pragma omp simd
    for (std::size_t k = 0; k < count; ++k) {
      const auto held = static_cast<double>(static_cast<Real>(cells[k]));
      cells[k] = std::abs(held) > most && std::abs(cells[k]) <= any ? NAN : held;
    }
  }
  gibbs_of_costs(costs, reg);
  if (!inputs.kl) return;
  for (std::size_t k = 0; k < count;) {  // row by row
    const std::size_t i = (first + k) / inputs.N, j = (first + k) % inputs.N;
    const std::size_t width = std::min(count - k, inputs.N - j);
    const auto row_mass = static_cast<double>(inputs.a[i]);
    const Real* const masses = inputs.b.data() + j;
    double* const row = cells + k;
#pragma omp simd
    for (std::size_t c = 0; c < width; ++c) row[c] *= row_mass * static_cast<double>(masses[c]);
    k += width;
  }
}

template void make_gibbs(const Inputs<float>&, std::size_t, double, std::span<double>);
template void make_gibbs(const Inputs<double>&, std::size_t, double, std::span<double>);

std::size_t dimensions(const Point& point) {
  const std::string data = point.text("data");
  if (data == "npy") return user_dimensions(point);
  if (data == "uniform" || data == "likelihood") return 0;
  return data == "colors" ? 3 : data == "surface" ? surface_features : 2;
}

bool has_costs(const Point& point) {
  const std::string data = point.text("data");
  return data == "npy" ? gives_costs(point) : data != "uniform" && data != "likelihood";
}

template <class Real>
void fill(const Point& point, Inputs<Real>& inputs) {
  const std::string data = point.text("data");
  const double reg = point.number("reg");
  if (data == "uniform") return fill_uniform(point.integer("seed"), inputs);
  if (data == "npy") {
    read_user_arrays(point, inputs);
    if (dimensions(point) > 0) fill_from(user_clouds<Real>(point), reg, inputs);
    return;
  }
  if (data == "points" || data == "self") return fill_from(points(point, inputs), reg, inputs);
  if (data == "noisy") return fill_from(noisy(point, inputs), reg, inputs);
  if (data == "colors") return fill_from(colors(point, inputs), reg, inputs);
  if (data == "likelihood") return fill_likelihoods(point, inputs);
  fill_equal_masses(inputs);
  if (data == "moons") return fill_from(moons(point), reg, inputs);
  if (data == "surface") return fill_from(surfaces(point), reg, inputs);
  throw Error("data: \"" + data +
              "\" is not one of uniform, points, self, noisy, colors, moons, surface, likelihood, npy");
}

template void fill(const Point&, Inputs<float>&);
template void fill(const Point&, Inputs<double>&);

}  // namespace uotbench::uot
