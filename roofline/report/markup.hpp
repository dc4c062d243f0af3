// Scripts of an HTML page and their data, whatever is in it.
#pragma once

#include <string>
#include <string_view>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// As the text of a <script type="application/json"> element: no character in it can end the element or begin
/// a comment (HTML, section 4.12.1.3, "Restrictions for contents of script elements").
std::string json_in_script(const Json& value);

/// What a Content-Security-Policy calls a script, sha256-…, from its SHA-256 in hexadecimal.
std::string policy_hash(std::string_view hexadecimal);

}  // namespace uotbench
