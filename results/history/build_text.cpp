#include "results/history/build_text.hpp"

#include <algorithm>
#include <sstream>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

/// Facts of a build that are another one's with every commit.
constexpr const char* of_one_commit[]{"commit", "dirty", "hash", "uotbench"};

constexpr std::string_view command_key = "command:[";

/// Of a word that is a path, or ends in one ("--data=/a/b"), the name of the file.
std::string file_name_in(const std::string& word) {
  const auto begin = word.find('/'), last = word.rfind('/');
  if (begin == std::string::npos || last + 1 == word.size()) return word;
  const auto sign = word.rfind('=', begin);
  return (sign == std::string::npos ? "" : word.substr(0, sign + 1)) + word.substr(last + 1);
}

Json file_names_in(const Json& command) {
  Json names = Json::array();
  for (const auto& word : command)
    names.push_back(word.is_string() ? Json(file_name_in(word.get<std::string>())) : word);
  return names;
}

/// Flags without those that say in which folder something was built (-ffile-prefix-map=…).
std::string without_maps(const std::string& text) {
  if (text.find("-prefix-map=") == std::string::npos) return text;
  std::string rest;
  std::istringstream in(text);
  for (std::string word; in >> word;)
    if (word.find("-prefix-map=") == std::string::npos) rest += (rest.empty() ? "" : " ") + word;
  return rest;
}

}  // namespace

std::string text_of_build(const Json& build) {
  std::string text;
  for (const auto& [fact, value] : build.items()) {
    if (std::ranges::find(of_one_commit, fact) != std::end(of_one_commit) || value.is_null()) continue;
    const bool plain = value.is_string() && (fact == "compiler" || fact == "flags" || fact == "build_type");
    const std::string shown = value.is_string()                       ? value.get<std::string>()
                              : fact == "command" && value.is_array() ? to_line(file_names_in(value))
                                                                      : to_line(value);
    text += (text.empty() ? "" : " ") + (plain ? shown : fact + ":" + shown);
  }
  return without_maps(text);
}

std::string without_folders(const std::string& text) {
  const auto at = text.find(command_key);
  if (at == std::string::npos) return without_maps(text);
  const auto begin = at + command_key.size() - 1;
  bool quoted = false;
  for (auto end = begin; end < text.size(); ++end) {
    if (quoted && text[end] == '\\')
      ++end;
    else if (text[end] == '"')
      quoted = !quoted;
    else if (!quoted && text[end] == ']') {
      const Json command = parse_shallow(text.substr(begin, end + 1 - begin));
      if (!command.is_array()) break;
      return without_maps(text.substr(0, begin) + to_line(file_names_in(command)) + text.substr(end + 1));
    }
  }
  return without_maps(text);
}

}  // namespace uotbench
