// What a history calls a build: two of one text can be held against each other.
#pragma once

#include <string>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// "g++ 12.2.0 -O3 -march=x86-64-v4 Release": a worker's facts of its build, but for its commit, and for the
/// folders that it was built in and is started from, which differ with every checkout.
std::string text_of_build(const Json& build);

/// The same text of one that an earlier uotbench kept with such folders.
std::string without_folders(const std::string& text);

}  // namespace uotbench
