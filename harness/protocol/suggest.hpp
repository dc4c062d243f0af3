// "Did you mean …?"
#pragma once

#include <string>
#include <vector>

namespace uotbench {

/// The candidate closest to `name` by edit distance (Damerau 1964: insert, delete, replace, swap neighbours);
/// empty where all are farther than half of the name's length. A candidate that begins with the name
/// (of 3 letters or more) is as near as one with a single difference. One that is the name in a folder, as
/// uot/map_uot is map_uot, is the closest.
std::string nearest(const std::string& name, const std::vector<std::string>& candidates);

/// ` (did you mean map_uot?)`, or nothing: follows the quoted name in a message.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace uotbench
