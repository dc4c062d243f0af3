// The axis that leads to a folder of the user's data.
#pragma once

namespace uotbench {

/// Where it is given, a family may read other axes from there, those that are `derived`: sizes, which must be
/// given elsewhere, and axes with a default, which holds elsewhere.
inline constexpr const char* path_axis = "path";

}  // namespace uotbench
