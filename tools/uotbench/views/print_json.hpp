// The JSON that --json prints.
#pragma once

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// On stdout, indented; bytes that are not UTF-8 become U+FFFD.
void print_json(const Json& json);

}  // namespace uotbench
