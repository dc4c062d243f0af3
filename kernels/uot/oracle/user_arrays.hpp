// data=npy: a user's own problem. A folder with a.npy (M masses), b.npy (N masses) and either K.npy, the
// kernel, or C.npy, the cost (then K = exp(-C/reg)), both M x N; f32 or f64.
#pragma once

#include "kernels/uot/oracle/data.hpp"

namespace uotbench::uot {

/// Opens headers only. Throws Error unless the files the point needs are there, with its shapes.
void require_user_arrays(const Point& point);

/// Whether the folder holds C.npy and not K.npy. Throws Error where it holds both, or neither.
bool gives_costs(const Point& point);

/// Throws Error naming file, cell and value where one is NaN, infinite or negative (a cost may be negative),
/// or where there is no mass at all.
template <class Real>
void read_user_arrays(const Point& point, Inputs<Real>& inputs);

}  // namespace uotbench::uot
