#include "results/base/json.hpp"

#include <algorithm>

namespace uotbench {

std::string to_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json parse_shallow(std::string_view text) {
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
