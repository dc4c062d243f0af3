// data=npy: a user's own problem. A folder with a.npy (M masses), b.npy (N masses) and K.npy, the kernel, or
// C.npy, the costs (then K = exp(-C/reg)), both M x N, or X.npy and Y.npy, M x d and N x d points, of which
// the squared distances are the costs. Any of them may be a .csv file.
#pragma once

#include "kernels/uot/oracle/data.hpp"
#include "kernels/uot/oracle/drawn.hpp"

namespace uotbench::uot {

/// Opens headers only. Throws Error unless the files the point needs are there, with its shapes.
void require_user_arrays(const Point& point);

/// Whether the user gives where u and v start.
bool starts_warm(const Point& point);
/// Whether the folder gives costs, or points, and not K. Throws Error where it gives none of the three, or
/// several.
bool gives_costs(const Point& point);
/// Coordinates of the user's points; 0: there are none.
std::size_t user_dimensions(const Point& point);
/// The user's points, rounded to Real. Throws Error where one is not finite, or a squared distance is too
/// large.
template <class Real>
Clouds user_clouds(const Point& point);

/// All but what points make. Throws Error naming file, cell and value where one is NaN, infinite or negative
/// (a cost may be negative, or inf: a forbidden pair, with K = 0), or where there is no mass at all.
template <class Real>
void read_user_arrays(const Point& point, Inputs<Real>& inputs);

/// Logarithms of u and v. Throws Error where one is not finite.
template <class Real>
void read_user_start(const Point& point, std::span<Real> log_u0, std::span<Real> log_v0);

}  // namespace uotbench::uot
