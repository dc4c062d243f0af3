// A user's own costs, points, masses and weights: data=npy, or cost=npy, masses=npy, weights=npy for some of
// them.
#pragma once

#include <span>

#include "kernels/sinkhorn_log/oracle/data.hpp"

namespace uotbench::sinkhorn_log {

/// Which parts of a problem are the user's.
bool has_user_costs(const Point& point);   ///< C.npy
bool has_user_points(const Point& point);  ///< X.npy and Y.npy
bool has_user_masses(const Point& point);  ///< a.npy and b.npy, or mu.npy and nu.npy

/// `cost` and `d` as the user's files have them, and of other data, where the point lacks them, the default.
Point user_kind_of_costs(const Point& point);

/// B, M and N as far as the point lacks them, from the user's arrays. Throws Error where they do not say.
Point user_sizes(const Point& point);

/// Opens the headers only. Throws Error naming the file that is missing or of another shape.
void require_user_arrays(const Point& point);

/// The user's points, of M or N and d coordinates each. Throws Error where one is not finite, or a squared
/// distance divided by reg is more than Real holds.
template <class Real>
void read_user_points(const Point& point, std::span<Real> X, std::span<Real> Y);

/// Whether the user's costs hold infinity, the cost of a pair that no plan may use. Reads all of them.
bool has_forbidden_pairs(const Point& point);

/// Throws Error where forbidden pairs leave a bin with mass without any partner that has mass, or one that no
/// bin with mass may reach. `C` is M x N; `mu` and `nu` are B x M and B x N.
template <class Real>
void require_partners(std::span<const Real> C, std::span<const Real> mu, std::span<const Real> nu,
                      std::size_t N);

/// M x N. Throws Error for the first cost that is NaN or -inf, or that is infinite once it is divided by reg
/// and was not before.
template <class Real>
void read_user_costs(const Point& point, std::span<Real> C);

/// mu and nu, and where wanted rows and columns. Throws Error for a mass that is NaN, infinite or negative,
/// for an item whose two sums differ or are 0, and for sizes beyond M or N.
template <class Real>
void read_user_masses(const Point& point, Inputs<Real>& inputs);

/// log u and log v at the start, B x M and B x N. Throws Error for one that is not finite.
template <class Real>
void read_user_start(const Point& point, std::span<Real> log_u0, std::span<Real> log_v0);

/// The mu of task=barycenter, histograms x M. Throws Error for a mass as above, and for sums that differ or
/// are 0.
template <class Real>
void read_user_histograms(const Point& point, std::span<Real> mu);

/// B x histograms. Throws Error for a weight that is NaN, infinite or negative, and for a sum that is not 1.
template <class Real>
void read_user_weights(const Point& point, std::span<Real> weights);

}  // namespace uotbench::sinkhorn_log
