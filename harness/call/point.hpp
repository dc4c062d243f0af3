// The point of a call: from its settings, its arrays and what the family derives.
#pragma once

#include "harness/call/problem.hpp"

namespace uotbench {

/// A value for every axis but those that the family derives. Throws Error naming the setting that is wrong.
/// What settings leave out is read off the arrays where they say it: dtype, cost=matrix for C, the
/// coordinates of X. `folder` is what data=npy is read from.
Point point_of_call(const Variant& variant, const Family& family, const std::vector<GivenArray>& arrays,
                    const GivenSettings& settings, const std::string& folder);

/// With what the family derives from it, and from the arrays in the folder. Throws Error.
Point derived_point(const Family& family, Point point);

/// Whether the family reads a caller's arrays itself.
bool reads_arrays(const Family& family);

}  // namespace uotbench
