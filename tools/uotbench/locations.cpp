#include "tools/uotbench/locations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/sweep/suggest.hpp"
#include "results/error.hpp"

namespace uotbench {
namespace fs = std::filesystem;

fs::path bin_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

fs::path configs_folder() {
  for (const fs::path& folder :
       {bin_folder().parent_path() / "share/uotbench/configs", fs::path(UOTBENCH_SOURCE_DIR) / "configs"})
    if (fs::is_regular_file(folder / "sweep.schema.json")) return folder;
  throw UsageError(fmt::format("configs/sweep.schema.json is neither in {} nor beside the installed program",
                               UOTBENCH_SOURCE_DIR));
}

fs::path find_sweep(const std::string& name) {
  std::error_code unreadable;
  if (fs::is_regular_file(name, unreadable)) return name;
  const fs::path configs = configs_folder();
  for (const fs::path& path : {configs / name, configs / (name + ".json")})
    if (fs::is_regular_file(path, unreadable)) return path;
  std::vector<std::string> known;
  for (const auto& entry : fs::directory_iterator(configs))
    if (entry.path().extension() == ".json" && entry.path().filename() != "sweep.schema.json")
      known.push_back(entry.path().filename());
  std::sort(known.begin(), known.end());
  throw UsageError(fmt::format("no sweep \"{}\"{}, neither here nor in {}; there: {}", name,
                               did_you_mean(name, known), configs.string(), fmt::join(known, ", ")));
}

}  // namespace uotbench
