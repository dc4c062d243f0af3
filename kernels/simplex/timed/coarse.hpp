// Potentials from a coarser level: points in groups, each a point of all its mass, solved to the end, from a
// coarser level of their own where they are many (Q. Mérigot, "A multiscale approach to optimal transport",
// Computer Graphics Forum 30, 2011).
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "kernels/simplex/timed/colgen.hpp"
#include "kernels/simplex/timed/potentials.hpp"
#include "kernels/simplex/timed/pricings.hpp"

namespace uotbench::simplex {

/// Groups of `by` points, each at its centre of mass.
struct CoarseCloud {
  CoarseCloud(std::span<const double> points, std::span<const double> masses, std::size_t k, std::size_t by)
      : centres((masses.size() + by - 1) / by * k), mass((masses.size() + by - 1) / by) {
    const auto order = leaf_order(points, k, by);
    for (std::size_t p = 0; p < order.size(); ++p) {
      const auto from = static_cast<std::size_t>(order[p]);
      mass[p / by] += masses[from];
      for (std::size_t d = 0; d < k; ++d) centres[p / by * k + d] += masses[from] * points[from * k + d];
    }
    for (std::size_t e = 0; e < centres.size(); ++e) centres[e] /= mass[e / k];
    for (std::size_t p = 0; p < order.size(); ++p)
      for (std::size_t d = 0; d < k; ++d)
        spread += std::pow(points[static_cast<std::size_t>(order[p]) * k + d] - centres[p / by * k + d], 2);
    spread /= static_cast<double>(order.size());
  }

  std::vector<double> centres, mass;
  double spread = 0;  ///< mean squared distance from the centre
};

/// Each side's potentials as the other's allow: u_i = min_J |x_i - Y_J|^2 + v_J over some points Y with
/// potentials v, then v_j = max_i u_i - |x_i - y_j|^2.
template <class Mark>
Potentials feasible(const Clouds& clouds, std::span<const double> Y, std::span<const double> v,
                    double raise) {
  const Mark mark("price");
  const std::size_t M = clouds.M, N = clouds.N, k = clouds.k;
  Potentials fine{std::vector<double>(M, 0.), std::vector<double>(N, 0.), raise};
  std::vector<std::int32_t> nearest(std::max(M, N));
  const std::vector<double> zeros(std::max(M, N), 0.);
  const double infinite = std::numeric_limits<double>::infinity();
  Priced of_u{fine.u, std::span(nearest).first(M)}, of_v{fine.v, std::span(nearest).first(N)};
  pricing_named("best", {{M, v.size(), k, clouds.X, Y}, {}})
      ->price(std::span(zeros).first(M), v, infinite, of_u);
  std::vector<double> minus_u(M);
  for (std::size_t i = 0; i < M; ++i) minus_u[i] = -fine.u[i];
  pricing_named("best", {{N, M, k, clouds.Y, clouds.X}, {}})
      ->price(std::span(zeros).first(N), minus_u, infinite, of_v);
  for (double& value : fine.v) value = -value;
  return fine;
}

/// Of a problem whose masses are positive. `most`: no cost is larger.
template <class Mark>
Potentials coarse_potentials(const Clouds& clouds, std::span<const double> a, std::span<const double> b,
                             double most) {
  constexpr std::size_t by = 4, few = 256;
  const std::size_t M = clouds.M, N = clouds.N, k = clouds.k;
  if (std::min(M, N) <= few) return from_nothing(clouds, most, false);
  const CoarseCloud X(clouds.X, a, k, by), Y(clouds.Y, b, k, by);
  const Costs costs{{X.mass.size(), Y.mass.size(), k, X.centres, Y.centres}, {}};
  const Potentials start = coarse_potentials<Mark>(costs.clouds, X.mass, Y.mass, most);
  Colgen<Costs, Mark> colgen(X.mass, Y.mass, costs,
                             {.tolerance = 1e-9 * std::max(most, 1e-300), .most_rounds = 1 << 20});
  const auto pricing = pricing_named("best", costs);
  colgen.run(start.u, start.v, start.raise,
             [&](auto u, auto v, double threshold, Priced& out, const auto& add) {
               const Mark priced("price");
               pricing->price(u, v, threshold, out);
               for (std::size_t i = 0; i < out.target.size(); ++i)
                 if (out.target[i] >= 0) add(i, static_cast<std::size_t>(out.target[i]));
             });
  return feasible<Mark>(clouds, Y.centres, colgen.v(), X.spread + Y.spread);
}

}  // namespace uotbench::simplex
