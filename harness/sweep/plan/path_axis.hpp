// The axis that leads to a folder of the user's data.
#pragma once

namespace uotbench {

/// Where it is given, a family may read sizes from there (a size that is `derived`); else sizes must be
/// given.
inline constexpr const char* path_axis = "path";

}  // namespace uotbench
