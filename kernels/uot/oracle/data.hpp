// The inputs of a problem: where the numbers come from.
#pragma once

#include <cstddef>
#include <span>

#include "harness/protocol/point.hpp"

namespace uotbench::uot {

/// The input arrays while they are made. Everything is computed in double and rounded once, to Real.
template <class Real>
struct Inputs {
  std::size_t M, N;
  std::span<Real> K;      ///< M x N, C order
  std::span<Real> a;      ///< M
  std::span<Real> b;      ///< N
  bool from_cost = true;  ///< K = exp(-C/reg): a zero in it has underflowed
};

/// Fills all three arrays as the point's `data` says. Throws Error where the source is unusable.
template <class Real>
void fill(const Point& point, Inputs<Real>& inputs);

/// Throws Error where no plan solves the problem: a row (column) with mass that K lets nothing into.
template <class Real>
void require_solvable(const Point& point, const Inputs<Real>& inputs);

}  // namespace uotbench::uot
