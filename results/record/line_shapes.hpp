// What the lines of a run file look like, for code that reads one written by hand, or by something
// else: errors name their place.
#pragma once

#include <string>

#include "results/base/json.hpp"

namespace uotbench {

/// The first place of a case's line that no record can be made of, or empty: see misfit().
std::string misfit_of_case(const Json& line);

/// The same of a run's first line. What it holds has these types then.
std::string misfit_of_header(const Json& line);

}  // namespace uotbench
