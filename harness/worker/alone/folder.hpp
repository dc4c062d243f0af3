// Where the arrays of a worker that runs alone lie: shared memory, or a disk where they do not fit.
#pragma once

#include <filesystem>
#include <optional>

#include "harness/worker/alone/child.hpp"

namespace uotbench {

/// A private folder with `in` and `out`, gone when this object or the process is, Ctrl-C, a crash and SIGKILL
/// included.
class ArraysFolder {
 public:
  /// With room for so many bytes, in /dev/shm or else $TMPDIR or else /tmp. Throws Error saying what room
  /// there is.
  explicit ArraysFolder(double bytes);
  ~ArraysFolder();
  ArraysFolder(const ArraysFolder&) = delete;
  ArraysFolder& operator=(const ArraysFolder&) = delete;

  std::filesystem::path in() const { return folder_ / "in"; }
  std::filesystem::path out() const { return folder_ / "out"; }

 private:
  bool make_in(const std::filesystem::path& root);

  std::filesystem::path folder_;
  int lock_ = -1;
  std::optional<Child> janitor_;
};

}  // namespace uotbench
