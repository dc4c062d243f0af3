#include "kernels/uot/oracle/data.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "harness/worker/oracle/random.hpp"
#include "harness/worker/parallel.hpp"
#include "kernels/common/oracle/images.hpp"
#include "kernels/uot/oracle/user_arrays.hpp"
#include "results/base/error.hpp"

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
  fill_random(inputs.b, {seed, column_mass}, 0, 100 * inputs.mass_b);
}

/// Points in a space of `dims` dimensions, whose squared distances are the costs. Every coordinate is a
/// float, so that those given to kernels of either type are those that the costs are of.
struct Clouds {
  explicit Clouds(std::size_t its_dims) : dims(its_dims) {}

  std::size_t dims;
  std::vector<double> from, to;  ///< M x dims, N x dims

  double cost(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (std::size_t d = 0; d < dims; ++d) {
      const double apart = from[i * dims + d] - to[j * dims + d];
      sum += apart * apart;
    }
    return sum;
  }
  void round() {
    for (auto* cloud : {&from, &to})
      for (double& x : *cloud) x = static_cast<double>(static_cast<float>(x));
  }
};

/// What exp(-C_ij/reg) is multiplied by.
template <class Real>
double reference_measure(const Inputs<Real>& inputs, std::size_t i, std::size_t j) {
  return inputs.kl ? static_cast<double>(inputs.a[i]) * static_cast<double>(inputs.b[j]) : 1;
}

/// K, and C and the points where they are wanted. Masses first: K may need them.
template <class Real>
void fill_from(const Clouds& clouds, double reg, Inputs<Real>& inputs) {
  const auto rounded = [](double x) { return static_cast<Real>(x); };
  std::ranges::transform(clouds.from, inputs.X.begin(), rounded);
  std::ranges::transform(clouds.to, inputs.Y.begin(), rounded);
  if (inputs.K.empty()) return;
#pragma omp parallel for schedule(static) if (inputs.K.size() >= worth_a_team)
  for (std::size_t i = 0; i < inputs.M; ++i)
    for (std::size_t j = 0; j < inputs.N; ++j) {
      const std::size_t at = i * inputs.N + j;
      double cost = clouds.cost(i, j);
      if (!inputs.C.empty()) {
        inputs.C[at] = static_cast<Real>(cost);
        cost = static_cast<double>(inputs.C[at]);  // K is of the costs that kernels are given
      }
      inputs.K[at] = static_cast<Real>(reference_measure(inputs, i, j) * std::exp(-cost / reg));
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
    } else {  // Box and Muller 1958
      const double radius = std::sqrt(-2 * std::log(1 - one)), angle = 2 * std::numbers::pi * other;
      const double x = radius * std::cos(angle), y = radius * std::sin(angle);
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

std::vector<double> colors_of(const Image& image, std::size_t count, const RandomStream& random) {
  std::vector<double> places;
  places.reserve(3 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t pixel = random.below(i, image.width * image.height);
    for (std::size_t c = 0; c < 3; ++c) places.push_back(image.rgb[3 * pixel + c] / 255.);
  }
  return places;
}

/// Colour transfer as in POT's example plot_otda_color_images: random pixels of two images, equal masses.
template <class Real>
Clouds colors(const Point& point, Inputs<Real>& inputs) {
  fill_equal_masses(inputs);
  const std::int64_t seed = point.integer("seed");
  Clouds clouds(3);
  clouds.from = colors_of(load_image("source", point.text("source")), inputs.M, {seed, row_point});
  clouds.to = colors_of(load_image("target", point.text("target")), inputs.N, {seed, column_point});
  clouds.round();
  return clouds;
}

}  // namespace

std::size_t dimensions(const Point& point) {
  const std::string data = point.text("data");
  return data == "uniform" || data == "npy" ? 0 : data == "colors" ? 3 : 2;
}

bool has_costs(const Point& point) {
  const std::string data = point.text("data");
  return data == "npy" ? gives_costs(point) : data != "uniform";
}

template <class Real>
void fill(const Point& point, Inputs<Real>& inputs) {
  const std::string data = point.text("data");
  const double reg = point.number("reg");
  if (data == "uniform") return fill_uniform(point.integer("seed"), inputs);
  if (data == "npy") return read_user_arrays(point, inputs);
  if (data == "points" || data == "self") return fill_from(points(point, inputs), reg, inputs);
  if (data == "noisy") return fill_from(noisy(point, inputs), reg, inputs);
  if (data == "colors") return fill_from(colors(point, inputs), reg, inputs);
  throw Error("data: \"" + data + "\" is not one of uniform, points, self, noisy, colors, npy");
}

template void fill(const Point&, Inputs<float>&);
template void fill(const Point&, Inputs<double>&);

}  // namespace uotbench::uot
