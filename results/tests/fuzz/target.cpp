#include "results/tests/fuzz/target.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "results/base/error.hpp"
#include "results/tests/folder.hpp"

namespace uotbench::fuzz {
namespace fs = std::filesystem;

namespace {

// Of its own words: besides, it may quote what is wrong.
constexpr std::size_t longest_line = 2000;

std::vector<Target>& known() {
  static std::vector<Target> all;
  return all;
}

/// What a terminal would obey, or what turns the order of characters about; empty: nothing such.
std::string unprintable_in(std::string_view text, bool lines) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto rest = text.substr(i);
    if ((byte < 0x20 && !(lines && byte == '\n')) || byte == 0x7f)
      return fmt::format("the control character \\x{:02x}", byte);
    if (rest.starts_with("\xc2") && rest.size() > 1 && static_cast<unsigned char>(rest[1]) < 0xa0)
      return fmt::format("the control character U+00{:02X}", static_cast<unsigned char>(rest[1]));
    for (const char* turns :
         {"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"})
      if (rest.starts_with(turns)) return "a character that turns the order of others about";
  }
  return "";
}

std::string shown(std::string_view text) { return on_one_line(std::string(text.substr(0, 300))); }

}  // namespace

Registration::Registration(Target target) { known().push_back(std::move(target)); }

std::vector<Target> targets() {
  auto all = known();
  std::ranges::sort(all, {}, &Target::name);
  return all;
}

void require_readable(const std::string& message, std::size_t quoted) {
  if (message.empty()) throw Broken("a message without a word");
  if (const auto found = unprintable_in(message, false); !found.empty())
    throw Broken(fmt::format("a message holds {}: {}", found, shown(message)));
  if (message.find("json.exception") != std::string::npos)
    throw Broken("a message speaks in a library's words: " + shown(message));
  if (message.size() > longest_line + quoted)
    throw Broken(fmt::format("a message of {} bytes: {}", message.size(), shown(message)));
}

void require_printable(const std::string& text) {
  if (const auto found = unprintable_in(text, true); !found.empty())
    throw Broken(fmt::format("what is printed holds {}: {}", found, shown(text)));
}

void require_same(const Json& once, const Json& again, const std::string& what) {
  if (once != again)
    throw Broken(fmt::format("{}: once {}, and then {}", what, shown(to_line(once)), shown(to_line(again))));
}

std::optional<std::string> complaint_of(const Target& target, std::string_view input) try {
  try {
    target.one_input(input);
  } catch (const Error& error) {
    require_readable(error.what(), input.size());
  }
  return std::nullopt;
} catch (const Broken& broken) {
  return broken.what();
} catch (const std::exception& other) {
  return fmt::format("no Error of ours: {}", shown(other.what()));
}

fs::path as_file(std::string_view input, const std::string& name) {
  static const Folder own;
  const fs::path path = own.path() / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary | std::ios::trunc) << input;
  return path;
}

std::vector<std::string> files_of(const std::vector<std::string>& paths, const std::string& ending) {
  std::vector<fs::path> files;
  for (const auto& name : paths) {
    const fs::path path = fs::path(UOTBENCH_SOURCE_DIR) / name;
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.is_regular_file() && entry.path().string().ends_with(ending)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    if (texts.back().empty()) throw std::runtime_error(file.string() + ": empty, or not there");
  }
  return texts;
}

}  // namespace uotbench::fuzz
