// The one JSON type, whole. A header that only mentions it includes json_fwd.hpp.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// Compact text on one line; bytes that are not UTF-8 (a kernel's message, say) become U+FFFD.
std::string to_line(const Json& value);

/// Parses text from outside; discarded where it is no JSON, or nests over 64 deep: copying and
/// writing a value recurse, and a few million brackets would end the program.
Json parse_shallow(std::string_view text);

/// As parse_shallow, its texts and keys as visible() has them: they can be shown, wherever they end up.
Json parse_visible(std::string_view text);

}  // namespace uotbench
