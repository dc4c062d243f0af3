// The inputs: what each array of a problem begins with.
#pragma once

#include <string>
#include <vector>

#include "harness/protocol/point.hpp"

namespace uotbench::stencil {

/// The names of a model's input arrays, and of its outputs.
std::vector<std::string> input_names(const std::string& model);
std::vector<std::string> output_names(const std::string& model);

/// nx x ny values of one of them, in double. XPXPYN's X is 2^11 to 2^12 times as large as the dtype's digits
/// of Y would bear, with either sign. In a cavity the lid moves: U is 1 where j = ny - 1, and 0 on the other
/// walls; a fluid at rest, or random inside.
std::vector<double> values_of(const Point& point, const std::string& name);

}  // namespace uotbench::stencil
