#include "results/base/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "results/base/error.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

/// Where a file without a name is given one: /proc has to be there.
std::string descriptor_path(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

/// Without a name until it is whole, so that nothing is left of a writer that is killed; where the file
/// system has no such files, under a name of its own, which is removed if the file does not become whole.
class Draft {
 public:
  explicit Draft(const fs::path& path) : name_(path.string() + ".XXXXXX") {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    fd_ = Fd(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
    if (fd_.is_open() && ::access(descriptor_path(fd_.get()).c_str(), F_OK) != 0) fd_.close();
    named_ = !fd_.is_open();
    if (named_) fd_ = Fd(::mkstemp(name_.data()));
    if (!fd_.is_open())
      throw UsageError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
  }
  ~Draft() {
    if (named_) ::unlink(name_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  bool write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::write(fd_.get(), text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return ::fsync(fd_.get()) == 0;
  }
  bool rename_to(const fs::path& path) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(fd_.get(), 0666 & ~mask);  // a draft's mode is for its owner alone
    if (!named_ && link_to(path.c_str())) return true;
    if (!named_ && errno != EEXIST) return false;
    // What is there has to be replaced at once, which rename() does, and link() does not.
    if (!named_ && !take_a_name()) return false;
    if (::rename(name_.c_str(), path.c_str()) != 0) return false;
    named_ = false;
    return true;
  }

 private:
  bool link_to(const char* name) {
    return ::linkat(AT_FDCWD, descriptor_path(fd_.get()).c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
  }
  bool take_a_name() {
    std::random_device random;
    constexpr int tries = 100;
    for (int i = 0; i < tries && !named_; ++i) {
      const std::string stem = name_.substr(0, name_.size() - 6);  // without mkstemp's XXXXXX
      name_ = stem + fmt::format("{:06x}", random() & 0xffffff);
      named_ = link_to(name_.c_str());
      if (!named_ && errno != EEXIST) return false;
    }
    return named_;
  }

  std::string name_;
  Fd fd_;
  bool named_ = false;  ///< and to be removed
};

/// What is there in place of a regular file; empty: that is one.
std::string kind_of(fs::file_type type) {
  switch (type) {
    case fs::file_type::regular:
      return "";
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::fifo:
      return "a pipe";
    case fs::file_type::socket:
      return "a socket";
    case fs::file_type::character:
    case fs::file_type::block:
      return "a device";
    default:
      return "what cannot be looked at";
  }
}

void spare_runs(const fs::path& path, bool replace_run) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.is_open()) return;
  constexpr std::string_view start = R"({"kind":"run",)";
  std::string text(start.size(), '\0');
  const bool run =
      ::pread(fd.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()) && text == start;
  const bool busy = run && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0;
  if (busy)
    throw UsageError(fmt::format("{}: an uotbench is writing this run; give another file", path.string()));
  if (run && !replace_run) throw UsageError(fmt::format("{}: holds a run; give another file", path.string()));
}

}  // namespace

void require_regular(const fs::path& path) {
  std::error_code unknown;
  const fs::file_type type = fs::status(path, unknown).type();
  if (type == fs::file_type::not_found) throw UsageError(fmt::format("{}: no such file", path.string()));
  if (const std::string got = kind_of(type); !got.empty())
    throw UsageError(fmt::format("{}: expected a regular file, got {}", path.string(), got));
}

std::string read_whole(const fs::path& path) {
  require_regular(path);
  const auto failed = [&] {
    return UsageError(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  };
  // What took the file's place since is a pipe at worst, and is not waited for.
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.is_open()) throw failed();
  std::string text;
  std::array<char, std::size_t{1} << 16> piece;
  for (;;) {
    const ssize_t count = ::read(fd.get(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count > 0) {
      text.append(piece.data(), static_cast<std::size_t>(count));
      continue;
    }
    if (count == 0) return text;
    throw failed();
  }
}

void write_whole(const fs::path& path, std::string_view text, bool replace_run) {
  std::error_code ignored;
  const fs::path place = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
  if (fs::exists(place, ignored) && !fs::is_regular_file(place, ignored))
    throw UsageError(fmt::format("{}: not a regular file", path.string()));
  spare_runs(place, replace_run);
  if (std::error_code failed; place.has_parent_path()) {
    fs::create_directories(place.parent_path(), failed);
    if (failed)
      throw UsageError(fmt::format("{}: cannot be written: the folder {} cannot be made: {}", path.string(),
                                   place.parent_path().string(), failed.message()));
  }
  Draft draft(place);
  if (!draft.write(text) || !draft.rename_to(place))
    throw Error(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
}

}  // namespace uotbench
