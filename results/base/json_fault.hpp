// What the library that reads JSON says of a text that is none.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace uotbench {

/// "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while parsing value -
/// invalid literal; …" without its prefix: "syntax error while parsing value - …".
inline std::string fault_in(const nlohmann::json::exception& error) {
  const std::string text = error.what();
  const auto syntax = text.find("syntax error while ");
  return text.substr(syntax == std::string::npos ? text.find("] ") + 2 : syntax);
}

}  // namespace uotbench
