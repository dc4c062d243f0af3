#include <cctype>
#include <functional>
#include <optional>
#include <string_view>

#include "harness/sweep/revisions/project.hpp"

namespace uotbench {
namespace {

/// The word in braces that begins `text`: letters and '_'.
std::optional<std::string_view> word_at(std::string_view text) {
  if (!text.starts_with('{')) return std::nullopt;
  std::size_t end = 1;
  while (end < text.size() && (std::isalpha(static_cast<unsigned char>(text[end])) || text[end] == '_'))
    ++end;
  if (end == 1 || end == text.size() || text[end] != '}') return std::nullopt;
  return text.substr(1, end - 1);
}

/// Calls `plain` with each character that is text, and `place` with each word in braces.
void walk(std::string_view text, const std::function<void(char)>& plain,
          const std::function<void(std::string_view)>& place) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto rest = text.substr(at);
    if (rest.starts_with('$') && word_at(rest.substr(1))) {
      for (const char c : rest.substr(0, word_at(rest.substr(1))->size() + 3)) plain(c);
      at += word_at(rest.substr(1))->size() + 2;
    } else if (const auto literal = rest.starts_with("{{") ? word_at(rest.substr(1)) : std::nullopt;
               literal && rest.substr(literal->size() + 3).starts_with('}')) {
      for (const char c : rest.substr(1, literal->size() + 2)) plain(c);
      at += literal->size() + 3;
    } else if (const auto word = word_at(rest)) {
      place(*word);
      at += word->size() + 1;
    } else {
      plain(text[at]);
    }
  }
}

std::optional<std::string> place_named(std::string_view word, const ProjectPlaces& places) {
  if (word == "checkout") return places.checkout.string();
  if (word == "prefix") return places.prefix.string();
  return std::nullopt;
}

/// A path as a shell reads it that is within `quote`, or in none (0).
std::string quoted_within(char quote, const std::string& path) {
  constexpr std::string_view special_in_double = "\"\\$`";
  std::string text;
  for (const char c : path) {
    if (quote == '"' && special_in_double.find(c) != std::string_view::npos)
      text += {'\\', c};
    else if (quote != '"' && c == '\'')
      text += R"('\'')";
    else
      text += c;
  }
  return quote ? text : "'" + text + "'";
}

}  // namespace

std::string filled(const std::string& text, const ProjectPlaces& places) {
  std::string result;
  walk(
      text, [&](char c) { result += c; },
      [&](std::string_view word) {
        result += place_named(word, places).value_or("{" + std::string(word) + "}");
      });
  return result;
}

std::string filled_in_shell(const std::string& line, const ProjectPlaces& places) {
  std::string result;
  char quote = 0;
  bool escaped = false;
  walk(
      line,
      [&](char c) {
        result += c;
        if (escaped)
          escaped = false;
        else if (c == '\\' && quote != '\'')
          escaped = true;
        else if (c == quote)
          quote = 0;
        else if (!quote && (c == '\'' || c == '"'))
          quote = c;
      },
      [&](std::string_view word) {
        const auto place = place_named(word, places);
        result += place ? quoted_within(quote, *place) : "{" + std::string(word) + "}";
      });
  return result;
}

std::string unknown_word(const std::string& text) {
  std::string unknown;
  walk(
      text, [](char) {},
      [&](std::string_view word) {
        if (unknown.empty() && !place_named(word, {})) unknown = word;
      });
  return unknown;
}

}  // namespace uotbench
