#include "harness/host/process/files.hpp"

#include <charconv>
#include <fstream>

namespace uotbench {

std::string trimmed(const std::string& text) {
  constexpr auto blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::string> read_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string bytes;
  for (char piece[4096]; in.read(piece, sizeof piece), in.gcount() > 0;)
    bytes.append(piece, static_cast<std::size_t>(in.gcount()));
  return bytes;
}

std::optional<std::string> read_text(const std::filesystem::path& file) {
  const auto bytes = read_bytes(file);
  if (!bytes) return std::nullopt;
  std::string text = trimmed(*bytes);
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

void remove_tree(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::symlink_status(path, ignored).type() == fs::file_type::directory) {
    fs::permissions(path, fs::perms::owner_all, fs::perm_options::add, ignored);
    for (auto entry = fs::recursive_directory_iterator(path, ignored); entry != fs::end(entry);
         entry.increment(ignored))
      if (entry->symlink_status(ignored).type() == fs::file_type::directory)
        fs::permissions(entry->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
  }
  fs::remove_all(path, ignored);
}

}  // namespace uotbench
