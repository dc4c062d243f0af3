// The folder where a run's arrays live: shared memory, or TMPDIR where that is too small.
#pragma once

#include <filesystem>

namespace uotbench {

/// Makes a folder of its own and removes it when destroyed. A lock on it tells folders in use from those
/// that a killed run left behind, which are removed here, too.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// An empty folder for a group of cases that needs so many bytes, under shared memory or under TMPDIR.
  /// Throws Error where neither has room.
  std::filesystem::path fresh(double bytes);

 private:
  struct Place {
    std::filesystem::path folder;
    int lock = -1;
  };
  Place memory_, disk_;
};

}  // namespace uotbench
