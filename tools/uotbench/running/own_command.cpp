#include "tools/uotbench/running/own_command.hpp"

#include <fstream>
#include <vector>

#include "results/base/text.hpp"

namespace uotbench {
namespace {

std::vector<std::string> own_words() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

std::string one_line(const std::vector<std::string>& words) {
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

}  // namespace

std::string own_command() { return one_line(own_words()); }

std::string own_command_of_any_file() {
  std::vector<std::string> kept;
  bool value = false;  // of --output
  for (auto& word : own_words()) {
    const bool output = word == "-o" || word == "--output";
    if (const bool skipped = value;
        skipped || output || word == "--resume" || word == "--force" || word.starts_with("--output="))
      value = !skipped && output;
    else
      kept.push_back(std::move(word));
  }
  return one_line(kept);
}

}  // namespace uotbench
