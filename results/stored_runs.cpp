// Which stored run is meant by a name.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "results/error.hpp"
#include "results/run_file.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

/// Stored runs by sweep name. NAME-20260131T120000.000Z.jsonl: stamps sort by time.
std::multimap<std::string, fs::path> stored_runs(const fs::path& folder) {
  std::multimap<std::string, fs::path> runs;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    const std::string file = entry.path().filename().string();
    const auto dash = file.rfind('-');
    if (entry.path().extension() == ".jsonl" && dash != std::string::npos)
      runs.emplace(file.substr(0, dash), entry.path());
  }
  return runs;
}

}  // namespace

std::vector<fs::path> runs_of(const std::string& name, const fs::path& folder) {
  const auto runs = stored_runs(folder);
  std::vector<fs::path> paths;
  for (auto [run, end] = runs.equal_range(name); run != end; ++run) paths.push_back(run->second);
  std::sort(paths.rbegin(), paths.rend());
  return paths;
}

fs::path find_run(const std::string& name, const fs::path& folder) {
  std::error_code unreadable;
  if (fs::is_regular_file(name, unreadable)) return name;
  if (const auto runs = runs_of(name, folder); !runs.empty()) return runs.front();
  std::vector<std::string> names;
  for (const auto& [known, path] : stored_runs(folder))
    if (names.empty() || names.back() != known) names.push_back(known);
  throw UsageError(
      fmt::format("no run \"{}\": give a file, or the name of a sweep with a run in {} (there: {})", name,
                  folder.string(), names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace uotbench
