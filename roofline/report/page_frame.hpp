// What every page of HTML begins and ends with, and how data gets into its script.
#pragma once

#include <string>
#include <string_view>

#include "results/base/json_fwd.hpp"

namespace uotbench {

// Scripts of an HTML page and their data, whatever is in it.

/// As the text of a <script type="application/json"> element: no character in it can end the element or begin
/// a comment (HTML, section 4.12.1.3, "Restrictions for contents of script elements").
std::string json_in_script(const Json& value);

/// What a Content-Security-Policy calls a script, sha256-…, from its SHA-256 in hexadecimal.
std::string policy_hash(std::string_view hexadecimal);

// The page's style and script: roofline/report/page.css and page.js, compiled into the program.

extern const char* const page_style;
extern const char* const page_script;
extern const char* const page_script_hash;  ///< its SHA-256 in hexadecimal

// What all pages begin and end with.

/// Up to the beginning of its body. The content security policy lets nothing run but the page's own script.
std::string page_head(const std::string& title);
/// The script and its data, {"runs": […], "sentences": […]}; the end.
std::string page_end(const Json& data);

}  // namespace uotbench
