// The name of the JSON type alone, for headers that only mention it: its templates take seconds to compile.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace uotbench {

/// Keys keep the order they were written in, so records read top-down.
using Json = nlohmann::ordered_json;

}  // namespace uotbench
