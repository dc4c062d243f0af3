// A folder that is gone with what is in it when its owner is, however that ends: what a killed process left,
// the next one of the same name removes.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "harness/host/process/locked_folder.hpp"
#include "results/base/error.hpp"

namespace uotbench {

class TemporaryFolder {
 public:
  /// uotbench-NAME-XXXXXX in TMPDIR. Throws Error where none can be made there.
  explicit TemporaryFolder(const std::string& name) : folder_(temporary_root(), "uotbench-" + name) {
    if (!folder_) throw Error(fmt::format("no folder can be made in {}", temporary_root().string()));
  }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  LockedFolder folder_;
};

}  // namespace uotbench
