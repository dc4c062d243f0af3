// The one JSON type: keys keep the order they were written in, so records read top-down.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace uotbench {

using Json = nlohmann::ordered_json;

/// Compact text on one line; bytes that are not UTF-8 (a kernel's message, say) become U+FFFD.
inline std::string to_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Parses text that somebody else wrote; discarded where it is no JSON, or nests over 64 deep: copying and
/// writing a value recurse, and a few million brackets would end the program.
inline Json parse_shallow(std::string_view text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{'))
      deepest = std::max(deepest, ++depth);
    else if (!quoted && (c == ']' || c == '}'))
      --depth;
  }
  return deepest > 64 ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

}  // namespace uotbench
