#include "tools/uotbench/gating/cached_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "tools/uotbench/flags/locations.hpp"

namespace uotbench {
namespace fs = std::filesystem;

fs::path cached_runs_folder(const std::string& command) {
  constexpr std::size_t kept = 200;  // of some ten bisections
  const fs::path folder = cache_folder(fmt::format("runs of {}", command)) / command;
  std::vector<fs::path> runs;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".jsonl") runs.push_back(entry.path());
  const auto time_of = [&](const fs::path& run) { return fs::last_write_time(run, none); };
  std::ranges::sort(runs, std::greater(), time_of);
  for (std::size_t i = kept; i < runs.size(); ++i) fs::remove(runs[i], none);
  return folder;
}

}  // namespace uotbench
