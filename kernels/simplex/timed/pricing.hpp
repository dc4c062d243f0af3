// Pricing: for each source i the most violated arc, delta_i = min(0, min_j |x_i - y_j|^2 - u_i + v_j).
// With n_j = |y_j|^2 + v_j that is |x_i|^2 - u_i + min_j (n_j - 2 <x_i, y_j>): k multiplications and
// additions a pair (S. Gualandi, L.-M. Rousseau, "A note on a GPU-based network simplex algorithm", Aussois
// 2020, eq. 16).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace uotbench::simplex {

/// What a pricing step looks at. Arrays outlive it.
struct Clouds {
  std::size_t M, N, k;
  std::span<const double> X, Y;  ///< M x k and N x k
};

/// What a pricing step finds, and what it cost.
struct Priced {
  std::span<double> delta;         ///< M: 0 where no arc of the source is violated
  std::span<std::int32_t> target;  ///< M: of the most violated arc; -1 where delta is 0
  double evaluated = 0;            ///< pairs of which the product was computed, added up over calls
  double skipped = 0;              ///< pairs that a bound ruled out
};

/// A way to price. Implementations know the points; potentials come with every call.
class Pricing {
 public:
  virtual ~Pricing() = default;
  /// `threshold` <= 0: arcs whose reduced cost is not below it count as not violated.
  virtual void price(std::span<const double> u, std::span<const double> v, double threshold, Priced& out) = 0;
  virtual double bytes() const = 0;  ///< of private memory
};

}  // namespace uotbench::simplex
