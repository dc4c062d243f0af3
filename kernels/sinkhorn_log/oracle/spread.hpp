// What rounding may do to potentials, line by line: in units of a type's relative error, as the costs that
// carry mass make it. A cost that carries none, however large, loosens nothing.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kernels/sinkhorn_log/oracle/reference.hpp"

namespace uotbench::sinkhorn_log {

/// Of one item. A line's unit is 1 + the largest of |log u_i|, |log v_j| and |C_ij| / reg over the pairs of
/// the line that carry mass; where C is computed from points, 2 (|x_i|^2 + |y_j|^2) from the points' median
/// in place of |C_ij|, as the products of coordinates that kernels may form are as large. Lines without mass
/// have the unit 1.
struct Spread {
  std::vector<double> rows, columns;  ///< M, N

  double largest() const;
  /// Weighted with an item's masses.
  double mean(std::span<const double> mu, std::span<const double> nu) const;
};

/// Of potentials of M and N bins in item b; those that are no numbers count as none. A pair carries mass
/// where it has more than e^-40 of the largest cell of its row or of its column.
template <class Real>
Spread spread_of(const Costs<Real>& costs, std::size_t b, double reg, std::span<const double> log_u,
                 std::span<const double> log_v);

/// Why results in such units prove nothing; empty: they do. `tolerance`: of the type; `what`: "item 3: ".
std::string unverifiable(const Spread& spread, double tolerance, const std::string& what,
                         const std::string& dtype);

}  // namespace uotbench::sinkhorn_log
