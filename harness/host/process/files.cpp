#include "harness/host/process/files.hpp"

#include <charconv>
#include <fstream>
#include <iterator>

namespace uotbench {

std::string trimmed(const std::string& text) {
  constexpr auto blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::string> read_text(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) return std::nullopt;
  std::string text = trimmed({std::istreambuf_iterator<char>(in), {}});
  if (text.empty()) return std::nullopt;
  return text;
}

std::optional<double> read_number(const std::filesystem::path& file) {
  const auto text = read_text(file);
  double value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc{})
    return std::nullopt;
  return value;
}

std::vector<std::string> read_lines(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace uotbench
