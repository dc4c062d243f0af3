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
  double mass_b;           ///< what b is multiplied by
  bool kl;                 ///< K is a_i b_j exp(-C_ij/reg)
  std::span<Real> a;       ///< M
  std::span<Real> b;       ///< N
  std::span<Real> K = {};  ///< M x N, C order; empty: not wanted
  std::span<Real> C = {};  ///< likewise
  std::span<Real> X = {};  ///< M x dimensions
  std::span<Real> Y = {};  ///< N x dimensions
  bool from_cost = true;   ///< K = exp(-C/reg): a zero in it has underflowed
  bool rounded = false;    ///< K is of costs rounded to Real, as kernels get them, even where C is not wanted

  /// Of arrays that hold `items` of these problems one below the other, those of one.
  Inputs item(std::size_t index, std::size_t items) const {
    const auto part = [&](std::span<Real> all) {
      return all.subspan(index * (all.size() / items), all.size() / items);
    };
    return {M, N, mass_b, kl, part(a), part(b), part(K), part(C), part(X), part(Y), from_cost, rounded};
  }
};

/// Of the points that the costs are squared distances of; 0: there are none.
std::size_t dimensions(const Point& point);
/// Whether K comes from costs. Throws Error where the source is unusable.
bool has_costs(const Point& point);

/// Fills all arrays as the point's `data` says. Throws Error where the source is unusable.
template <class Real>
void fill(const Point& point, Inputs<Real>& inputs);

/// Makes cells of K, from index `first` on, of their costs in place, and writes C where it is wanted. NaN: a
/// cost that Real does not hold.
template <class Real>
void make_gibbs(const Inputs<Real>& inputs, std::size_t first, double reg, std::span<double> costs);

/// Throws Error where no plan solves the problem: a row (column) with mass that K, or where there are costs,
/// which K may have underflowed from, forbidden pairs let nothing into.
template <class Real>
void require_solvable(const Point& point, const Inputs<Real>& inputs);

}  // namespace uotbench::uot
