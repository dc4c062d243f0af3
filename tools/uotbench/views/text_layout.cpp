#include "tools/uotbench/views/text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "results/base/json.hpp"
#include "results/base/visible.hpp"

namespace uotbench {
namespace {

/// The bytes of a word that stay on a line of `width`: up to its last '/' or ',' in reach, not leaving
/// crumbs.
std::size_t break_in(const std::string& word, std::size_t width) {
  const std::size_t most = cut_to(word, width).size();
  const auto mark = word.find_last_of("/,", most - 1);
  return mark != std::string::npos && 2 * (mark + 1) >= most ? mark + 1 : most;
}

std::string code_of(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::good:
      return "\033[32m";
    case Style::bad:
      return "\033[31m";
    case Style::warning:
      return "\033[33m";
    case Style::faint:
      return "\033[2m";
    case Style::strong:
      return "\033[1m";
  }
  return "";
}

}  // namespace

std::string styled(const std::string& text, Style style, const Terminal& terminal) {
  const std::string code = terminal.colour && !text.empty() ? code_of(style) : "";
  return code.empty() ? text : code + text + "\033[0m";
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width, LongWords words,
                                 std::size_t indent) {
  const std::string margin(indent, ' ');
  std::vector<std::string> lines;
  std::string line;
  bool empty = true;  // but for a margin
  const auto next_line = [&] {
    lines.push_back(std::exchange(line, margin));
    empty = true;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find_first_not_of(' ', at), text.size());
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string blanks = text.substr(at, begin - at);
    std::string word = text.substr(begin, end - begin);
    at = end;
    if (word.empty()) break;
    if (!empty && columns_of(line) + blanks.size() + columns_of(word) > width)
      next_line();
    else
      line += blanks;  // at the text's beginning they are its indentation
    while (words == LongWords::broken && width > columns_of(line) &&
           columns_of(line) + columns_of(word) > width) {
      const std::size_t part = break_in(word, width - columns_of(line));
      line += word.substr(0, part);
      word.erase(0, part);
      next_line();
    }
    line += word;
    empty = false;
  }
  lines.push_back(std::move(line));
  return lines;
}

std::string paragraph(const std::string& head, const std::string& text, const Terminal& terminal,
                      Style head_style, std::size_t deeper) {
  const std::size_t indent = columns_of(head);
  const std::string margin(indent, ' ');
  const std::string shown = visible(text);
  std::vector<std::string> lines{shown};
  if (terminal.width)
    lines = wrapped(shown, *terminal.width > indent + 10 ? *terminal.width - indent : 10, LongWords::whole,
                    deeper);
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i)
    out += (i == 0 ? styled(head, head_style, terminal) : margin) + lines[i] + '\n';
  return out;
}

std::string warnings(const std::vector<std::string>& texts, const Terminal& terminal) {
  std::string out;
  for (const auto& text : texts) out += paragraph("warning: ", text, terminal, Style::warning);
  return out;
}

std::string counted(std::size_t number, const std::string& word) {
  return fmt::format("{} {}{}", number, word, number == 1 ? "" : "s");
}

void print_json(const Json& json) { fmt::print("{}\n", json.dump(2)); }

}  // namespace uotbench
