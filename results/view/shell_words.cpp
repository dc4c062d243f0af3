#include "results/view/shell_words.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace uotbench {

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
