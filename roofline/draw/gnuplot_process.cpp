#include "roofline/draw/gnuplot_process.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

/// A file in memory: neither side of it waits for the other, as with pipes.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view text = "") : fd_(::memfd_create("gnuplot", MFD_CLOEXEC)) {
    if (fd_ < 0) fail();
    while (!text.empty()) {
      const ssize_t count = ::write(fd_, text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) fail();
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    ::lseek(fd_, 0, SEEK_SET);
  }
  ~MemoryFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int fd() const { return fd_; }
  std::string text() const {
    std::string text;
    std::vector<char> part(1 << 16);
    for (;;) {
      const ssize_t count = ::pread(fd_, part.data(), part.size(), static_cast<off_t>(text.size()));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail();
      if (count == 0) return text;
      text.append(part.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  [[noreturn]] static void fail() {
    throw Error(fmt::format("no memory for gnuplot's script or picture: {}", std::strerror(errno)));
  }
  int fd_ = -1;
};

/// What gnuplot starts with: 0, 1 and 2 are these files.
class Actions {
 public:
  Actions(int in, int out, int err) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, in, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO);
  }
  ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// GNUTERM, GNUPLOT_LIB and the like are for the user's own figures.
std::vector<char*> environment_without_settings() {
  std::vector<char*> kept;
  for (char** variable = environ; *variable; ++variable)
    if (!std::string_view(*variable).starts_with("GNU")) kept.push_back(*variable);
  kept.push_back(nullptr);
  return kept;
}

/// gnuplot repeats the line and points below it; what is wrong comes last.
std::string complaint_in(const std::string& words) {
  std::string last;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find('\n', at), words.size());
    if (words.find_first_not_of(" \t\r", at) < end) last = words.substr(at, end - at);
    at = end + 1;
  }
  return last.empty() ? "it does not say why" : last.substr(last.find_first_not_of(" \t"));
}

}  // namespace

std::string gnuplot_output(const std::string& script) {
  const MemoryFile in(script), out, err;
  const Actions actions(in.fd(), out.fd(), err.fd());
  std::string name = "gnuplot", no_settings = "-d";
  char* argv[] = {name.data(), no_settings.data(), nullptr};
  auto environment = environment_without_settings();
  pid_t child = -1;
  const int failure = ::posix_spawnp(&child, "gnuplot", actions.get(), nullptr, argv, environment.data());
  if (failure == ENOENT)
    throw UsageError(
        "gnuplot is not installed, and figures are drawn by it: apt-get install gnuplot-nox (Debian/Ubuntu), "
        "dnf install gnuplot (Fedora/RHEL), conda install -c conda-forge gnuplot, spack install gnuplot");
  if (failure != 0) throw Error(fmt::format("gnuplot cannot be started: {}", std::strerror(failure)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) throw Error(fmt::format("gnuplot was killed by signal {}", WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) throw Error(fmt::format("gnuplot: {}", complaint_in(err.text())));
  std::string picture = out.text();
  if (picture.empty()) throw Error(fmt::format("gnuplot drew nothing: {}", complaint_in(err.text())));
  return picture;
}

}  // namespace uotbench
