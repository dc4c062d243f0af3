#include "harness/sweep/workers/kernel_files.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "harness/sweep/language/schema.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

std::vector<std::string> workers_named_in(const fs::path& file) {
  const std::string mark = file.extension() == ".py" ? "# workers:" : "// workers:";
  std::vector<std::string> workers;
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with(mark)) continue;
    std::istringstream words(line.substr(mark.size()));
    for (std::string word; words >> word;) workers.push_back(word);
  }
  return workers;
}

/// Folders of a family that hold no variants. parts/ is what families had before shared/ and timed/.
const std::set<std::string> without_variants{"shared", "timed", "parts", "oracle", "tests"};

/// Adds the variants in a folder, and in those below it that hold a kind each (uotbench_variant_files of
/// CMake).
void add_files(const std::string& family, const fs::path& folder, bool below,
               std::vector<KernelFile>& files) {
  std::error_code missing;
  for (const auto& file : fs::directory_iterator(folder, missing)) {
    const fs::path& path = file.path();
    const std::string name = path.filename(), ending = path.extension();
    if (below && file.is_directory(missing) && !without_variants.contains(name))
      add_files(family, path, false, files);
    if ((ending != ".cpp" && ending != ".cu" && ending != ".py") || path.stem() == "problem") continue;
    files.push_back({.variant = family + "/" + path.stem().string(),
                     .sources = ending.substr(1),
                     .workers = workers_named_in(path)});
  }
}

}  // namespace

bool KernelFile::is_for(const std::string& worker, const std::string& its_sources) const {
  if (workers.empty()) return sources == its_sources;
  return std::ranges::any_of(workers, [&](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), worker.c_str(), 0) == 0;
  });
}

std::vector<KernelFile> kernel_files(const fs::path& kernels) {
  std::vector<KernelFile> files;
  std::error_code missing;
  for (const auto& family : fs::directory_iterator(kernels, missing))
    add_files(family.path().filename(), family.path(), true, files);
  std::ranges::sort(files, {}, &KernelFile::variant);
  return files;
}

std::vector<KernelFile> read_kernel_files(const fs::path& list) {
  std::error_code missing;
  if (!fs::exists(list, missing)) return {};
  try {
    std::vector<KernelFile> files;
    for (const Json& file : read_strictly(list))
      files.push_back({.variant = file.at("variant"),
                       .sources = file.at("sources"),
                       .workers = file.at("workers").get<std::vector<std::string>>()});
    return files;
  } catch (const Json::Exception& error) {
    throw UsageError(fmt::format("{}: no list of variants: {}", list.string(), error.what()));
  }
}

}  // namespace uotbench
