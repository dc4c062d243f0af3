#include "results/record/run_file/run_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/run_file/run_line.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

/// Makes a new name durable: fsync of a file does not cover the folder that names it.
void sync_folder(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

off_t size_of(int fd) {
  struct stat status {};
  ::fstat(fd, &status);
  return status.st_size;
}

}  // namespace

RunFile::RunFile(fs::path path, Mode mode, bool resumable) : path_(std::move(path)), resumable_(resumable) {
  std::error_code ignored, unmade;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), unmade);
  if (unmade && !fs::is_directory(path_.parent_path(), ignored))
    throw UsageError(fmt::format("{}: cannot be written: the folder {} cannot be made: {}", path_.string(),
                                 path_.parent_path().string(), unmade.message()));
  fresh_ = !fs::exists(path_, ignored);
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0644);
  if (fd_ < 0)
    throw UsageError(fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(errno)));
  try {
    struct stat status {};
    if (::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode))
      throw UsageError(fmt::format("{}: not a regular file; a run needs one", path_.string()));
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0)
      throw UsageError(
          fmt::format("{}: another uotbench is writing this file; wait for it, or give another --output",
                      path_.string()));
    if (mode == Mode::create && size_of(fd_) > 0)
      throw UsageError(fmt::format("{}: holds a run already; --resume goes on with it, --force starts over",
                                   path_.string()));
    if (mode != Mode::create) require_run();
    if (mode == Mode::replace && ::ftruncate(fd_, 0) != 0)
      throw UsageError(fmt::format("{}: cannot be emptied: {}", path_.string(), std::strerror(errno)));
    if (mode == Mode::continue_) cut_torn_line();
  } catch (...) {
    ::close(fd_);
    throw;
  }
  sync_folder(path_);
}

RunFile::~RunFile() {
  if (fresh_ && size_of(fd_) == 0) ::unlink(path_.c_str());
  ::close(fd_);
}

void RunFile::append(const Json& line) { append_all({line}); }

std::vector<std::string> RunFile::append_all(const std::vector<Json>& lines) {
  std::vector<std::string> texts;
  std::string text;
  for (const auto& line : lines) text += texts.emplace_back(to_line(line)) + '\n';
  const off_t before = size_of(fd_);
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(fd_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  if (written == text.size() && ::fsync(fd_) == 0) return texts;
  const std::string reason = std::strerror(errno);
  const bool whole = ::ftruncate(fd_, before) == 0, empty = before == 0;
  throw Error(fmt::format("{}: cannot be written: {}; {}; make room and {}", path_.string(), reason,
                          whole && empty ? "nothing was kept"
                          : whole        ? "the file is whole up to its last record"
                                         : "its last line is torn",
                          resumable_ && !empty ? "go on with --resume" : "run it again"));
}

/// Somebody's notes, named by mistake, must not be emptied, nor lose their last line.
void RunFile::require_run() const {
  constexpr std::string_view start = R"({"kind":"run",)";
  std::string text(start.size(), '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::pread(fd_, text.data(), text.size(), 0))));
  if (!start.starts_with(text)) throw not_a_run(path_);
}

void RunFile::cut_torn_line() {
  std::ifstream in(path_, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto last = text.rfind('\n');
  const off_t whole = last == std::string::npos ? 0 : static_cast<off_t>(last + 1);
  if (whole != static_cast<off_t>(text.size()) && ::ftruncate(fd_, whole) != 0)
    throw Error(
        fmt::format("{}: its torn last line cannot be cut: {}", path_.string(), std::strerror(errno)));
}

}  // namespace uotbench
