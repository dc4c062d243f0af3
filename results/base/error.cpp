#include "results/base/error.hpp"

#include <cstddef>

namespace uotbench {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: the text does not begin with UTF-8
};

/// The first of a text that has one, as RFC 3629 has it: the shortest form, no surrogates, at most U+10FFFF.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  char32_t code = lead & (0x7f >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool shortest = bytes == 2 || code >= (bytes == 3 ? 0x800 : 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return shortest && !surrogate && code <= 0x10ffff ? Character{code, bytes} : Character{};
}

bool is_hidden(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfffe ||
         code == 0xffff;
}

void spell(std::string& out, char32_t code, std::size_t digits) {
  out += digits == 2 ? "\\x" : "\\u";
  while (digits-- > 0) out += "0123456789abcdef"[code >> 4 * digits & 0xf];
}

std::string shown(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [code, bytes] = first_of(text);
    if (bytes == 0)
      spell(out, static_cast<unsigned char>(text.front()), 2);
    else if (code == '\n' && !lines)
      out += "\\n";
    else if (is_hidden(code) && !(lines && (code == '\n' || code == '\t')))
      spell(out, code, code < 0x80 ? 2 : 4);
    else
      out += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

}  // namespace

bool is_printable_ascii(std::string_view text) {
  bool all = true;  // no early end: so the compiler looks at many bytes at a time
  for (const char c : text) all &= c >= 0x20 && c != 0x7f;
  return all;
}

std::string visible(std::string_view text) {
  return is_printable_ascii(text) ? std::string(text) : shown(text, true);
}

std::string on_one_line(const std::string& text) {
  return is_printable_ascii(text) ? text : shown(text, false);
}

}  // namespace uotbench
