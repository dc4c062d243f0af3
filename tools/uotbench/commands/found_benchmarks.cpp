#include "tools/uotbench/commands/found_benchmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

namespace uotbench {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_sources = 5000;
constexpr std::size_t most_source_bytes = 1 << 20;

std::string beginning_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.resize(std::min(text.size(), most_source_bytes));
  return text;
}

bool is_source(const fs::path& file) {
  const std::string name = file.filename();
  return name == "CMakeLists.txt" || name == "Cargo.toml" ||
         (file.extension() == ".py" &&
          (name.starts_with("test_") || name.starts_with("bench_") || name.ends_with("_test.py")));
}

/// In the order of their names; hidden folders and builds are left out.
std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code unreadable;
  auto options = fs::directory_options::skip_permission_denied;
  for (auto entry = fs::recursive_directory_iterator(folder, options, unreadable);
       !unreadable && entry != fs::recursive_directory_iterator() && files.size() < most_sources;
       entry.increment(unreadable)) {
    const std::string name = entry->path().filename();
    if (entry->is_directory(unreadable) && (name.starts_with('.') || name == "build" || name == "target"))
      entry.disable_recursion_pending();
    else if (is_source(name))
      files.push_back(entry->path().lexically_relative(folder));
  }
  std::ranges::sort(files);
  return files;
}

/// The word that begins at `at`, blanks before it left out.
std::string word_at(const std::string& text, std::size_t at) {
  const auto begin = text.find_first_not_of(" \t\r\n\"=", at);
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_first_of(" \t\r\n\")", begin) - begin);
}

std::optional<FoundBenchmarks> in_cmake(const fs::path& file, const std::string& text) {
  constexpr std::string_view links = "target_link_libraries(";
  const auto library = text.find("benchmark::benchmark");
  const auto call = library == std::string::npos ? library : text.rfind(links, library);
  if (file.filename() != "CMakeLists.txt" || call == std::string::npos) return std::nullopt;
  const std::string target = word_at(text, call + links.size());
  return FoundBenchmarks{.model = "gbench.json",
                         .target = target,
                         .program = (file.parent_path() / target).string(),
                         .where = fmt::format("{}: {} links benchmark::benchmark", file.string(), target)};
}

std::optional<FoundBenchmarks> in_cargo(const fs::path& file, const std::string& text) {
  const auto bench = text.find("[[bench]]");
  const auto name = bench == std::string::npos ? bench : text.find("name", bench);
  if (file != fs::path("Cargo.toml") || name == std::string::npos) return std::nullopt;
  const std::string target = word_at(text, name + std::string_view("name").size());
  return FoundBenchmarks{.model = "criterion.json",
                         .target = target,
                         .program = target,
                         .where = fmt::format("{}: [[bench]] {}", file.string(), target)};
}

std::optional<FoundBenchmarks> in_python(const fs::path& file, const std::string& text) {
  if (file.extension() != ".py") return std::nullopt;
  bool uses = false;
  for (auto at = text.find("def test_"); !uses && at != std::string::npos;
       at = text.find("def test_", at + 1))
    uses = text.substr(at, text.find(')', at) - at).find("benchmark") != std::string::npos;
  if (!uses) return std::nullopt;
  const fs::path folder = file.parent_path();
  return FoundBenchmarks{.model = "pytest.json",
                         .target = {},
                         .program = folder.empty() ? file.string() : folder.string(),
                         .where = fmt::format("{}: tests with the fixture benchmark", file.string())};
}

}  // namespace

std::optional<FoundBenchmarks> find_benchmarks(const fs::path& folder) {
  const auto files = sources_in(folder);
  for (const auto& look : {in_cmake, in_cargo, in_python})
    for (const auto& file : files)
      if (auto found = look(file, beginning_of(folder / file))) return found;
  return std::nullopt;
}

}  // namespace uotbench
