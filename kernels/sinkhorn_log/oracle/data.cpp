#include "kernels/sinkhorn_log/oracle/data.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/worker/oracle/random.hpp"
#include "harness/worker/parallel.hpp"
#include "kernels/sinkhorn_log/oracle/pictures.hpp"
#include "kernels/sinkhorn_log/oracle/user_arrays.hpp"

namespace uotbench::sinkhorn_log {
namespace {

// Streams of the seed: what is drawn never depends on what else is drawn.
enum Stream : std::uint64_t {
  row_mass,
  column_mass,
  row_point,
  column_point,
  own_cost,
  row_zero,
  column_zero,
  row_count,
  column_count,
  disturbance,
  weight
};

constexpr double share_of_zeros = .25;

/// Every coordinate is a float, so that those given to kernels of either type are those that the costs are
/// of. count x d.
std::vector<double> places(const Point& point, std::size_t count, Stream stream) {
  const std::size_t d = dimensions(point), side = side_of(count);
  const auto pixel = [](std::size_t k, std::size_t of) {
    return (static_cast<double>(k) + .5) / static_cast<double>(of);
  };
  const RandomStream random(point.integer("seed"), stream);
  std::vector<double> all(count * d);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < d; ++k) {
      const std::size_t at = i * d + k;
      const double place = point.text("cost") == "points"   ? random.uniform(at)
                           : point.text("cost") == "grid1d" ? pixel(i, count)
                                                            : pixel(k == 0 ? i / side : i % side, side);
      all[at] = static_cast<double>(static_cast<float>(place));
    }
  return all;
}

template <class Real>
void fill_points(const Point& point, Inputs<Real>& in) {
  const std::size_t d = dimensions(point);
  const double scale = point.number("cost_scale");
  const auto rounded = [](double x) { return static_cast<Real>(x); };
  std::vector<double> X, Y;
  if (has_user_points(point)) {
    read_user_points(point, in.X, in.Y);
    X.assign(in.X.begin(), in.X.end());
    Y.assign(in.Y.begin(), in.Y.end());
  } else {
    X = places(point, in.M, row_point);
    Y = places(point, in.N, column_point);
    std::ranges::transform(X, in.X.begin(), rounded);
    std::ranges::transform(Y, in.Y.begin(), rounded);
  }
  const auto squared = [&](const double* x, const double* y, std::size_t dims) {
    double sum = 0;
    for (std::size_t k = 0; k < dims; ++k) sum += (x[k] - y[k]) * (x[k] - y[k]);
    return scale * sum;
  };
  if (!in.C.empty()) {
#pragma omp parallel for schedule(static) if (in.C.size() >= worth_a_team)
    for (std::size_t i = 0; i < in.M; ++i)
      for (std::size_t j = 0; j < in.N; ++j) in.C[i * in.N + j] = rounded(squared(&X[i * d], &Y[j * d], d));
  }
  const std::size_t side = in.C1.empty() ? 0 : side_of(in.M);
  for (std::size_t r = 0; r < side; ++r)  // pixel r of the first row of pixels is r along the second axis
    for (std::size_t s = 0; s < side; ++s)
      in.C1[r * side + s] = rounded(squared(&X[r * d + 1], &Y[s * d + 1], 1));
}

template <class Real>
void fill_costs(const Point& point, Inputs<Real>& in) {
  if (has_user_costs(point)) return read_user_costs(point, in.C);
  if (point.text("cost") != "own") return fill_points(point, in);
  const RandomStream random(point.integer("seed"), own_cost);
#pragma omp parallel for schedule(static) if (in.C.size() >= worth_a_team)
  for (std::size_t k = 0; k < in.C.size(); ++k) in.C[k] = static_cast<Real>(random.uniform(k));
}

void fill_sizes(const Point& point, std::size_t most, Stream stream, std::span<std::int32_t> sizes) {
  const RandomStream random(point.integer("seed"), stream);
  const std::size_t least = (most + 1) / 2;
  for (std::size_t b = 0; b < sizes.size(); ++b)
    sizes[b] = static_cast<std::int32_t>(least + random.below(b, most - least + 1));
}

/// One side's masses of item b, before they are made to sum to 1.
void draw(const Point& point, std::size_t b, Stream drawn, Stream zeros, std::span<double> masses) {
  const std::string kind = point.text("masses");
  const std::int64_t seed = point.integer("seed");
  if (kind == "equal" || kind == "ones") {
    std::ranges::fill(masses, 1.);
    return;
  }
  if (kind == "images") return draw_picture(RandomStream(seed, drawn), b, side_of(masses.size()), masses);
  const RandomStream random(seed, drawn), absent(seed, zeros);
  for (std::size_t k = 0; k < masses.size(); ++k) {
    const std::size_t at = b * masses.size() + k;
    // The first bin always has mass: an item without any is no problem.
    const bool zero = kind == "zeros" && k > 0 && absent.uniform(at) < share_of_zeros;
    masses[k] = zero ? 0 : .5 + random.uniform(at);
  }
}

/// B x `bins`, item b's in its first `sizes`[b].
template <class Real>
void fill_masses(const Point& point, std::size_t bins, bool one, Stream drawn, Stream zeros,
                 std::span<const std::int32_t> sizes, std::span<Real> to) {
  const std::size_t B = to.size() / bins;
  const bool normalised = point.text("masses") != "ones";
#pragma omp parallel for schedule(static) if (to.size() >= worth_a_team)
  for (std::size_t b = 0; b < B; ++b) {
    std::vector<double> masses(bins);
    draw(point, one ? 0 : b, drawn, zeros, masses);
    if (!sizes.empty()) std::fill(masses.begin() + sizes[b], masses.end(), 0.);
    const double sum = normalised ? std::accumulate(masses.begin(), masses.end(), 0.) : 1;
    for (std::size_t k = 0; k < bins; ++k) to[b * bins + k] = static_cast<Real>(masses[k] / sum);
  }
}

/// B x S, each row with the sum 1.
template <class Real>
void fill_weights(const Point& point, std::span<Real> to) {
  const std::string kind = point.text("weights");
  const RandomStream random(point.integer("seed"), weight);
  const std::size_t B = point.size("B"), S = point.size("histograms");
  std::vector<double> item(S);
  for (std::size_t b = 0; b < B; ++b) {
    // From the first histogram over the others to the last; a single step is halfway.
    const double part = B == 1 ? .5 : static_cast<double>(b) / static_cast<double>(B - 1);
    const double place = part * static_cast<double>(S - 1);
    for (std::size_t s = 0; s < S; ++s)
      item[s] = kind == "equal"   ? 1
                : kind == "drawn" ? random.uniform(b * S + s)
                                  : std::max(0., 1 - std::abs(place - static_cast<double>(s)));
    const double sum = std::accumulate(item.begin(), item.end(), 0.);
    for (std::size_t s = 0; s < S; ++s) to[b * S + s] = static_cast<Real>(item[s] / sum);
  }
}

template <class Real>
void fill_mixture(const Point& point, Inputs<Real>& in) {
  if (has_user_masses(point))
    read_user_histograms(point, in.mu);
  else
    fill_masses<Real>(point, in.M, false, row_mass, row_zero, {}, in.mu);
  if (point.text("weights") == "npy")
    read_user_weights(point, in.weights);
  else
    fill_weights<Real>(point, in.weights);
}

}  // namespace

bool wants_barycenters(const Point& point) { return point.text("task") == "barycenter"; }

std::size_t side_of(std::size_t pixels) {
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(pixels))));
  return side * side == pixels ? side : 0;
}

std::size_t dimensions(const Point& point) {
  const std::string cost = point.text("cost");
  return cost == "points" ? point.size("d") : cost == "grid1d" ? 1 : cost == "grid2d" ? 2 : 0;
}

template <class Real>
void fill(const Point& point, Inputs<Real>& in) {
  fill_costs(point, in);
  if (wants_barycenters(point)) return fill_mixture(point, in);
  if (has_user_masses(point)) {
    read_user_masses(point, in);
  } else {
    if (!in.rows.empty()) {
      fill_sizes(point, in.M, row_count, in.rows);
      fill_sizes(point, in.N, column_count, in.columns);
    }
    fill_masses<Real>(point, in.M, point.text("source") == "one", row_mass, row_zero, in.rows, in.mu);
    fill_masses<Real>(point, in.N, false, column_mass, column_zero, in.columns, in.nu);
  }
  if (has_user_costs(point)) require_partners<Real>(in.C, in.mu, in.nu, in.N);
}

template <class Real>
std::vector<Real> disturbed(const Point& point, std::span<const Real> masses, std::size_t bins) {
  const RandomStream random(point.integer("seed"), disturbance);
  std::vector<Real> all(masses.size());
  for (std::size_t b = 0; b < masses.size() / bins; ++b) {
    double before = 0, after = 0;
    const auto moved = [&](std::size_t k) {
      return static_cast<double>(masses[k]) * (.9 + .2 * random.uniform(k));
    };
    for (std::size_t k = b * bins; k < (b + 1) * bins; ++k) {
      before += static_cast<double>(masses[k]);
      after += moved(k);
    }
    for (std::size_t k = b * bins; k < (b + 1) * bins; ++k)
      all[k] = static_cast<Real>(moved(k) * before / after);
  }
  return all;
}

template void fill(const Point&, Inputs<float>&);
template void fill(const Point&, Inputs<double>&);
template std::vector<float> disturbed(const Point&, std::span<const float>, std::size_t);
template std::vector<double> disturbed(const Point&, std::span<const double>, std::size_t);

}  // namespace uotbench::sinkhorn_log
