// A folder that is gone with what is in it when its owner is.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "results/base/error.hpp"

namespace uotbench {

class TemporaryFolder {
 public:
  /// uotbench-NAME-XXXXXX where the system keeps such. Throws Error.
  explicit TemporaryFolder(const std::string& name) {
    const auto place = std::filesystem::temp_directory_path();
    std::string path = (place / ("uotbench-" + name + "-XXXXXX")).string();
    if (!::mkdtemp(path.data())) throw Error(fmt::format("no folder can be made in {}", place.string()));
    path_ = path;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace uotbench
