// The ways to price by name, for solvers.
#pragma once

#include <memory>
#include <string>

#include "kernels/simplex/parts/price_boxes.hpp"
#include "kernels/simplex/parts/price_gemm.hpp"
#include "kernels/simplex/parts/price_lanes.hpp"
#include "kernels/simplex/parts/price_loops.hpp"
#include "kernels/simplex/parts/price_matrix.hpp"
#include "kernels/simplex/parts/price_sorted.hpp"

namespace uotbench::simplex {

/// Costs of pairs: squared distances, or a matrix.
struct Costs {
  Clouds clouds;
  std::span<const double> C;

  double operator()(std::size_t i, std::size_t j) const {
    if (!C.empty()) return C[i * clouds.N + j];
    double sum = 0;
    for (std::size_t d = 0; d < clouds.k; ++d) {
      const double apart = clouds.X[i * clouds.k + d] - clouds.Y[j * clouds.k + d];
      sum += apart * apart;
    }
    return sum;
  }

  /// No cost is larger: of points the diagonal of the box that holds them all.
  double most() const {
    double most = 0;
    for (const double c : C) most = std::max(most, std::abs(c));
    for (std::size_t d = 0; d < clouds.k; ++d) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const auto points : {clouds.X, clouds.Y})
        for (std::size_t p = d; p < points.size(); p += clouds.k)
          low = std::min(low, points[p]), high = std::max(high, points[p]);
      most += (high - low) * (high - low);
    }
    return most;
  }
};

/// `which`: loops, lanes, sorted, boxes, gemm; best: what is quickest for this k. A matrix has one way.
inline std::unique_ptr<Pricing> pricing_named(const std::string& which, const Costs& costs) {
  const Clouds& clouds = costs.clouds;
  if (!costs.C.empty()) return std::make_unique<MatrixPricing>(costs.C, clouds.M, clouds.N);
  if (which == "loops") return std::make_unique<LoopPricing>(clouds, Pretests{}, true);
  if (which == "sorted") return std::make_unique<SortedPricing>(clouds);
  if (which == "lanes" && clouds.k == 2) return std::make_unique<LanePricing<2>>(clouds);
  if (which == "lanes" && clouds.k == 3) return std::make_unique<LanePricing<3>>(clouds);
  if (which != "gemm" && clouds.k == 2) return std::make_unique<BoxPricing<2>>(clouds);
  if (which != "gemm" && clouds.k == 3) return std::make_unique<BoxPricing<3>>(clouds);
  return std::make_unique<GemmPricing>(clouds);
}

}  // namespace uotbench::simplex
