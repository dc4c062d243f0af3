#include "results/base/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "results/base/error.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

/// Under a name of its own until it is whole; removed where that does not come about.
class Draft {
 public:
  explicit Draft(const fs::path& path) : name_(path.string() + ".XXXXXX") {
    fd_ = ::mkstemp(name_.data());
    if (fd_ < 0)
      throw UsageError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
  }
  ~Draft() {
    ::close(fd_);
    if (!kept_) ::unlink(name_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  bool write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::write(fd_, text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return ::fsync(fd_) == 0;
  }
  bool rename_to(const fs::path& path) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(fd_, 0666 & ~mask);  // mkstemp's is for its owner alone
    return kept_ = ::rename(name_.c_str(), path.c_str()) == 0;
  }

 private:
  std::string name_;
  int fd_ = -1;
  bool kept_ = false;
};

void spare_runs(const fs::path& path, bool replace_run) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return;
  constexpr std::string_view start = R"({"kind":"run",)";
  std::string text(start.size(), '\0');
  const bool run =
      ::pread(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()) && text == start;
  const bool busy = run && ::flock(fd, LOCK_EX | LOCK_NB) != 0;
  ::close(fd);
  if (busy)
    throw UsageError(fmt::format("{}: an uotbench is writing this run; give another file", path.string()));
  if (run && !replace_run) throw UsageError(fmt::format("{}: holds a run; give another file", path.string()));
}

}  // namespace

void write_whole(const fs::path& path, std::string_view text, bool replace_run) {
  std::error_code ignored;
  const fs::path place = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
  if (fs::exists(place, ignored) && !fs::is_regular_file(place, ignored))
    throw UsageError(fmt::format("{}: not a regular file", path.string()));
  spare_runs(place, replace_run);
  if (place.has_parent_path()) fs::create_directories(place.parent_path(), ignored);
  Draft draft(place);
  if (!draft.write(text) || !draft.rename_to(place))
    throw Error(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
}

}  // namespace uotbench
