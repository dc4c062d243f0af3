// The folder where a run's arrays live: shared memory, or TMPDIR where that is too small.
#pragma once

#include <filesystem>

#include "harness/host/process/temporary_folder.hpp"

namespace uotbench {

class Workspace {
 public:
  /// Makes a folder in each, and removes those that killed runs left there.
  Workspace();

  /// An empty folder for a group of cases that needs so many bytes, under shared memory or under TMPDIR. Made
  /// again where a worker removed it. Throws Error where neither has room.
  std::filesystem::path fresh(double bytes);

 private:
  LockedFolder memory_, disk_;
};

}  // namespace uotbench
