// Small text files of /proc and /sys, which are read below a root folder, so that a test can make its own;
// folders that others have written into; and temporary folders: one is removed with its object, or by a
// later program when its owner died.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/base/error.hpp"

namespace uotbench {

/// All that is in the file; absent where it cannot be read.
std::optional<std::string> read_bytes(const std::filesystem::path& file);
/// The file's text without blanks around it; absent where it cannot be read or holds nothing.
std::optional<std::string> read_text(const std::filesystem::path& file);
/// The number that the file begins with; absent where there is none.
std::optional<double> read_number(const std::filesystem::path& file);
/// The file's lines; none where it cannot be read.
std::vector<std::string> read_lines(const std::filesystem::path& file);

/// Removes a file or a folder with all that is in it, also where a folder may not be written; links are
/// removed, not followed. What cannot be removed stays.
void remove_tree(const std::filesystem::path& path);

/// `text` without blanks around it.
std::string trimmed(const std::string& text);

// A folder of this process's own where others have theirs, too: under /dev/shm, under TMPDIR.

/// TMPDIR; /tmp where that is not set.
std::filesystem::path temporary_root();

/// Makes ROOT/NAME-XXXXXX, and removes it when destroyed. A lock on it tells folders in use from those that
/// killed processes left behind: these are removed whenever one of the same name is made.
class LockedFolder {
 public:
  /// Holds none.
  LockedFolder() = default;
  /// Holds none where `root` takes no folder. The name has to be told from other people's: "uotbench-arrays".
  LockedFolder(const std::filesystem::path& root, const std::string& name);
  ~LockedFolder();
  LockedFolder(LockedFolder&& other) noexcept;
  LockedFolder& operator=(LockedFolder&& other) noexcept;

  explicit operator bool() const { return lock_ >= 0; }
  const std::filesystem::path& path() const { return path_; }
  /// Makes the folder again where somebody removed it, or put another in its place. A folder without the lock
  /// would be taken for one left behind. False: the folder cannot be made, or this holds none.
  bool restore();

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

// A folder that is gone with what is in it when its owner is, however that ends: what a killed process left,
// the next one of the same name removes.

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
