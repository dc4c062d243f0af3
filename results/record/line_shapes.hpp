// What a case's line in a run file must look like: it may have been written by hand, or by another program.
#pragma once

#include <string>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// The first place of a case's line that no record can be made of, or empty: see shape_violation().
std::string case_violation(const Json& line);

}  // namespace uotbench
