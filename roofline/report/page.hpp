// The page's style and script: roofline/report/page.css and page.js, compiled into the program.
#pragma once

namespace uotbench {

extern const char* const page_style;
extern const char* const page_script;
extern const char* const page_script_hash;  ///< its SHA-256 in hexadecimal

}  // namespace uotbench
