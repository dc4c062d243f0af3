// Warnings of many cases, grouped by their causes.
#pragma once

#include <string>
#include <vector>

#include "results/view/view.hpp"

namespace uotbench {

/// A line for each cause of the warnings about the cases' times, how many cases have it included: a busy
/// machine first, then as they come. Texts that differ in numbers alone have one cause.
std::vector<std::string> warnings_by_cause(const RunView& view);

}  // namespace uotbench
