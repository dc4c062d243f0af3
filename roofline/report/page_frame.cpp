#include "roofline/report/page_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "results/base/json.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

unsigned digit(char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); }

}  // namespace

std::string json_in_script(const Json& value) {
  // Outside of strings JSON has none of these.
  std::string out;
  for (const char c : to_line(value)) {
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  }
  return out;
}

std::string policy_hash(std::string_view hexadecimal) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out = "sha256-";
  // Base64 (RFC 4648, section 4): three bytes, six hexadecimal digits, are four letters.
  for (std::size_t i = 0; i < hexadecimal.size(); i += 6) {
    const std::size_t digits = std::min<std::size_t>(6, hexadecimal.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 6; ++k) bits = bits << 4 | (k < digits ? digit(hexadecimal[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out += k <= digits / 2 ? letters[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

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
