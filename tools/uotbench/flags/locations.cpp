#include "tools/uotbench/flags/locations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace fs = std::filesystem;

fs::path bin_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

fs::path configs_folder() {
  for (const fs::path& folder :
       {bin_folder().parent_path() / "share/uotbench/configs", fs::path(UOTBENCH_SOURCE_DIR) / "configs"})
    if (fs::is_regular_file(folder / "sweep.schema.json")) return folder;
  throw UsageError(fmt::format("configs/sweep.schema.json is neither in {} nor next to the installed program",
                               UOTBENCH_SOURCE_DIR));
}

fs::path templates_folder() { return configs_folder().parent_path() / "templates"; }

fs::path cache_folder(const std::string& what) {
  // The XDG Base Directory Specification: a relative path is to be ignored.
  const auto folder = [](const char* name) {
    const char* value = std::getenv(name);
    const fs::path path = value ? value : "";
    return path.is_absolute() ? path : fs::path();
  };
  if (const fs::path cache = folder("XDG_CACHE_HOME"); !cache.empty()) return cache / "uotbench";
  if (const fs::path home = folder("HOME"); !home.empty()) return home / ".cache/uotbench";
  throw UsageError(fmt::format("{}: neither HOME nor XDG_CACHE_HOME names a folder to keep them in", what));
}

/// As given from the current directory, then in `folder` and in `other`, there also without .json.
static fs::path find_config(const char* kind, const std::string& name, const fs::path& folder,
                            const fs::path& other) {
  std::error_code unreadable;
  for (const fs::path& path :
       {fs::path(name), folder / name, folder / (name + ".json"), other / name, other / (name + ".json")})
    if (fs::is_regular_file(path, unreadable)) return path;
  std::vector<std::string> known;
  for (const auto& entry : fs::directory_iterator(folder, unreadable))
    if (entry.path().extension() == ".json" && entry.path().stem().extension() != ".schema")
      known.push_back(entry.path().filename());
  std::sort(known.begin(), known.end());
  throw UsageError(fmt::format("no {} \"{}\"{}, neither here nor in {}; there: {}", kind, name,
                               did_you_mean(name, known), folder.string(), fmt::join(known, ", ")));
}

fs::path find_sweep(const std::string& name) {
  return find_config("sweep", name, configs_folder(), configs_folder().parent_path() / "kernels");
}

fs::path find_machine(const std::string& name) {
  return find_config("machine", name, configs_folder() / "machines", configs_folder() / "machines");
}

fs::path find_claims(const std::string& name) {
  return find_config("paper", name, configs_folder() / "claims", configs_folder() / "claims");
}

}  // namespace uotbench
