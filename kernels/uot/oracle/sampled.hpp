// Judging where K is never stored: in full where the problem is small, else by samples.
#pragma once

#include "harness/worker/oracle/family.hpp"
#include "kernels/uot/oracle/reference.hpp"

namespace uotbench::uot {

/// Whether a double K of the problem is small enough to be made for judging.
bool is_judged_in_full(const Point& problem);

/// K in double, M x N, from the points as written, for a problem whose `matrix` is never.
template <class Real>
std::vector<double> kernel_of_points(const Point& problem, Arrays& inputs);

/// After one iteration from u = v = 1, whatever the scheme, u_i = (a_i / (K 1)_i)^fi and v_j = (b_j / (K'
/// u)_j)^fi with the u that was written: some rows and columns are computed in double from their points. A
/// kernel that got the others wrong would pass; its code is judged in full where the problem is small.
template <class Real>
Judgement judge_samples(const Point& problem, Arrays& inputs, Arrays& outputs, double tolerance);

}  // namespace uotbench::uot
