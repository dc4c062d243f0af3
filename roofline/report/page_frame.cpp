#include "roofline/report/page_frame.hpp"

#include <fmt/format.h>

#include "results/base/text.hpp"
#include "roofline/report/markup.hpp"
#include "roofline/report/page.hpp"

namespace uotbench {

/// Nothing is loaded and no script runs but the page's own; style attributes stand in figures.
std::string page_head(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src '{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
      policy_hash(page_script_hash), html_escaped(title + " – uotbench"), page_style);
}

std::string page_end(const Json& data) {
  return "<script type=\"application/json\" id=\"data\">" + json_in_script(data) + "</script>\n<script>" +
         page_script + "</script>\n</body>\n</html>\n";
}

}  // namespace uotbench
