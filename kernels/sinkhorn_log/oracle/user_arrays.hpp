// A user's own costs, masses and weights: cost=npy, masses=npy, weights=npy.
#pragma once

#include <span>

#include "kernels/sinkhorn_log/oracle/data.hpp"

namespace uotbench::sinkhorn_log {

/// Opens the headers only. Throws Error naming the file that is missing or of another type or shape.
void require_user_arrays(const Point& point);

/// M x N. Throws Error for the first cost that is NaN or infinite, or is once it is divided by reg.
template <class Real>
void read_user_costs(const Point& point, std::span<Real> C);

/// mu and nu, and where wanted rows and columns. Throws Error for a mass that is NaN, infinite or negative,
/// for an item whose two sums differ or are 0, and for sizes beyond M or N.
template <class Real>
void read_user_masses(const Point& point, Inputs<Real>& inputs);

/// The mu of task=barycenter, histograms x M. Throws Error for a mass as above, and for sums that differ or
/// are 0.
template <class Real>
void read_user_histograms(const Point& point, std::span<Real> mu);

/// B x histograms. Throws Error for a weight that is NaN, infinite or negative, and for a sum that is not 1.
template <class Real>
void read_user_weights(const Point& point, std::span<Real> weights);

}  // namespace uotbench::sinkhorn_log
