#include "results/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "results/base/visible.hpp"

namespace uotbench {

std::size_t character_start(std::string_view text, std::size_t at) {
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

std::string cut(const std::string& text, std::size_t bytes) {
  return text.size() <= bytes ? text : text.substr(0, character_start(text, bytes)) + "…";
}

std::string cut_middle(const std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = text.size() - bytes / 2;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return text.substr(0, character_start(text, bytes - bytes / 2)) + "…" + text.substr(end);
}

std::string cut_long_words(const std::string& text, std::size_t bytes) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    out += cut_middle(text.substr(at, end - at), bytes);
    if (end < text.size()) out += ' ';
    at = end + 1;
  }
  return out;
}

std::string shortened(const std::vector<std::string>& items, std::size_t shown) {
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), shown); ++i) text += (i ? ", " : "") + items[i];
  return items.size() > shown ? fmt::format("{} and {} more", text, items.size() - shown) : text;
}

std::string markdown_escaped(const std::string& text) {
  std::string out;
  for (const char c : on_one_line(text)) {
    if (std::string_view("\\`*_{}[]<>#|~&$").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_code(const std::string& text) {
  // More backquotes than it holds in a row; a bar would end a table's cell even there (GitHub Flavored
  // Markdown, 4.10).
  std::size_t longest = 0, row = 0;
  std::string inside;
  for (const char c : on_one_line(text)) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
    if (c == '|') inside += '\\';
    inside += c;
  }
  if (inside.empty()) return "";
  const std::string fence(longest + 1, '`');
  const std::string gap = inside.front() == '`' || inside.back() == '`' ? " " : "";
  return fence + gap + inside + gap + fence;
}

std::string html_escaped(const std::string& text) { return xml_escaped(on_one_line(text)); }

std::string xml_escaped(const std::string& text) {
  std::string out;
  for (const char c : visible(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\n':
      case '\t':
        out += fmt::format("&#{};", static_cast<int>(c));  // an attribute would make a blank of it
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string tex_escaped(const std::string& text) {
  std::string out;
  for (const char c : on_one_line(text)) {
    switch (c) {
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      case '|':
        out += "\\textbar{}";
        break;
      case '"':
        out += "''";
        break;  // plain quotes are other letters in some fonts
      case '-':
        out += "-{}";
        break;  // no dashes out of two
      case '{':
      case '}':
      case '$':
      case '&':
      case '#':
      case '_':
      case '%':
        out += '\\';
        [[fallthrough]];
      default:
        out += c;
    }
  }
  return out;
}

namespace {

/// What Excel, LibreOffice and others take for a formula: "=1+1", "@SUM(A1)", "-cmd|' /C calc'!A0".
bool is_formula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@\t\r\n").find(text.front()) == std::string_view::npos)
    return false;
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error != std::errc() || rest != text.data() + text.size();
}

}  // namespace

std::string csv_field(const std::string& text) {
  const std::string shown = is_formula(text) ? '\'' + text : text;
  if (shown.find_first_of("\",\r\n") == std::string::npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string shell_quoted(const std::string& text) {
  const auto plain = [](unsigned char c) {
    return c < 128 && (std::isalnum(c) ||
                       std::string_view("_./:@+-=,%").find(static_cast<char>(c)) != std::string_view::npos);
  };
  if (!text.empty() && std::ranges::all_of(text, plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string resuming(const std::string& command, const std::string& file) {
  return command + " --resume --output " + shell_quoted(file);
}

}  // namespace uotbench
