#include "results/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

}  // namespace

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

std::string nearest(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = name.size() / 2 + 1;
  for (const auto& candidate : candidates) {
    if (candidate.size() > name.size() + 1 && candidate.ends_with(name) &&
        candidate[candidate.size() - name.size() - 1] == '/')
      return candidate;  // map_uot for uot/map_uot

    if (name.size() >= 3 && best_distance > 1 && candidate.starts_with(name)) {
      best = candidate, best_distance = 1;  // comp for compare
      continue;
    }
    // The lengths' difference is the least distance: a file's megabyte of a key is not compared.
    if (std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size()) >= best_distance)
      continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) best = candidate, best_distance = distance;
  }
  return best;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string best = nearest(name, candidates);
  return best.empty() ? "" : " (did you mean " + best + "?)";
}

// A hash that distinguishes texts and builds.

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace uotbench
