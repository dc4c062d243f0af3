// Folders of built revisions, kept for the next time, and used by several programs at once.
//
//   STORE/0123456789abcdef/checkout      the sources of a build
//   STORE/0123456789abcdef/prefix        what the build installed
//   STORE/0123456789abcdef/built.json    what the build was made from; written last, when the build is whole
//   STORE/0123456789abcdef.log           what the build printed
//   STORE/0123456789abcdef.lock          locked by whoever makes or uses the build
//   STORE/key-0123456789abcdef.lock      locked by whoever looks for a build, or makes it
//
// All names are equally long, and so are the paths of two builds. Each build gets a new folder: a build that
// was killed has left behind processes that go on writing.
#pragma once

#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// A lock on a file (flock), given up when destroyed.
class FileLock {
 public:
  enum class Kind { shared, exclusive };
  /// The file is made where there is none. Absent: somebody else holds it. Throws Error where it cannot be
  /// made or locked at all.
  static std::optional<FileLock> attempt(const std::filesystem::path& file, Kind kind);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_;
};

/// A build's folder; while this lives, nobody removes it.
struct StoredBuild {
  std::filesystem::path folder;
  std::shared_ptr<FileLock> in_use;

  std::filesystem::path checkout() const { return folder / "checkout"; }
  std::filesystem::path prefix() const { return folder / "prefix"; }
  std::filesystem::path log() const { return folder.string() + ".log"; }
};

class RevisionStore {
 public:
  /// Throws UsageError where the folder cannot be made.
  explicit RevisionStore(std::filesystem::path folder);

  /// Waits, as long as another program looks for a build of the same key or makes it; `on_wait` is called
  /// once where it has to. Throws Interrupted.
  FileLock lock(const Json& key, const volatile sig_atomic_t* stop,
                const std::function<void()>& on_wait) const;
  /// The build that was made from `key`, used now.
  std::optional<StoredBuild> find(const Json& key) const;
  /// An empty checkout and prefix.
  StoredBuild fresh() const;
  /// From now on it is found. Throws Error where that cannot be written.
  void keep(const StoredBuild& build, const Json& key) const;
  /// Removes its files; the log stays.
  void discard(const StoredBuild& build) const;
  /// Leaves the builds in use and the `newest` last used; removes older ones and what was never finished.
  void tidy(std::size_t newest) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace uotbench
