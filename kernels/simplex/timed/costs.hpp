// What an arc costs.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "kernels/simplex/timed/pricing.hpp"

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

}  // namespace uotbench::simplex
