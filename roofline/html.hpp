// Texts that stand in an HTML page as themselves, whatever is in them.
#pragma once

#include <string>
#include <string_view>

#include "results/json.hpp"

namespace uotbench {

/// As text of an element or the value of an attribute in double quotes. Control characters are spelled out.
std::string html_escaped(const std::string& text);

/// As the text of a <script type="application/json"> element: no character in it can end the element or begin
/// a comment (HTML, section 4.12.1.3, "Restrictions for contents of script elements").
std::string json_in_script(const Json& value);

/// What a Content-Security-Policy calls a script, sha256-…, from its SHA-256 in hexadecimal.
std::string policy_hash(std::string_view hexadecimal);

}  // namespace uotbench
