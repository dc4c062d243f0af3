// The one JSON type: keys keep the order they were written in, so records read top-down.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace uotbench {

using Json = nlohmann::ordered_json;

/// Compact text on one line; bytes that are not UTF-8 (a kernel's message, say) become U+FFFD.
inline std::string to_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace uotbench
