// Where the run files of a bisection are.
#include <algorithm>
#include <functional>

#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/gating/bisect.hpp"

namespace uotbench {
namespace fs = std::filesystem;

fs::path bisect_runs_folder() {
  constexpr std::size_t kept = 200;  // of some ten bisections
  const fs::path folder = cache_folder("runs of bisections") / "bisect";
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
