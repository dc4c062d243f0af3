// Files that are open no longer than their owner lives, files that are read whole, and files that are there
// whole or not at all.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace uotbench {

/// A file descriptor that is closed with its owner.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd() { close(); }
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      close();
      fd_ = other.release();
    }
    return *this;
  }

  int get() const { return fd_; }  ///< -1: none
  bool is_open() const { return fd_ >= 0; }
  void close() {
    if (is_open()) ::close(release());
  }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

/// Throws UsageError where the path is no regular file, nor a link to one: opening a pipe waits for a writer,
/// a device may never end.
void require_regular(const std::filesystem::path& path);

/// The bytes of a regular file. Throws UsageError as require_regular(), and where it cannot be read.
std::string read_whole(const std::filesystem::path& path);

/// Writes next to `path` and takes its place when all is on the disk; what was there stays until then. A
/// writer that is killed leaves nothing, where the file system knows files without a name (O_TMPFILE). Makes
/// missing parent folders. Throws UsageError where the place is none for a file, or holds a run (samples that
/// cannot be measured again) and `replace_run` is false or an uotbench is writing it; Error where writing
/// fails.
void write_whole(const std::filesystem::path& path, std::string_view text, bool replace_run = false);

}  // namespace uotbench
