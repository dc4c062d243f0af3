// The inputs of a problem: where the numbers come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/protocol/point.hpp"

namespace uotbench::sinkhorn_log {

/// Dimensions of the points that C is the squared distances of; 0: there are none.
std::size_t dimensions(const Point& point);

/// Whether the items are barycenters of some histograms (task=barycenter), and no pairs of histograms.
bool wants_barycenters(const Point& point);

/// The side of a square of this number of pixels; 0 where there is none.
std::size_t side_of(std::size_t pixels);

/// The input arrays while they are made, as Problem has them. Everything is computed in double and rounded
/// once, to Real.
template <class Real>
struct Inputs {
  std::size_t B, M, N;
  std::span<Real> mu, nu;  ///< B x M, B x N; task=barycenter: S x M, none
  std::span<Real> C = {};  ///< M x N or B x M x N; empty: not wanted
  std::span<Real> X = {}, Y = {};
  std::span<Real> C1 = {};
  std::span<std::int32_t> rows = {}, columns = {};
  std::span<Real> weights = {};  ///< B x S, of task=barycenter alone
};

/// Fills all arrays as the point says. Throws Error where the user's are unsound.
template <class Real>
void fill(const Point& point, Inputs<Real>& inputs);

/// Each mass times a number from 0.9 to 1.1, and every item's sum as before: B x `bins`.
template <class Real>
std::vector<Real> disturbed(const Point& point, std::span<const Real> masses, std::size_t bins);

}  // namespace uotbench::sinkhorn_log
