#include "harness/worker/alone_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "results/error.hpp"

namespace uotbench {
namespace {

struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("no pipe: {}", std::strerror(errno)));
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int take(std::size_t end) { return std::exchange(ends[end], -1); }
  std::array<int, 2> ends{-1, -1};
};

/// Runs between fork and exec, so only what is async-signal-safe.
[[noreturn]] void become(Child::Kind kind, char* const* argv, pid_t parent, int in, int out, int report) {
  if (kind == Child::Kind::companion) {
    // A group of its own: Ctrl-C in gdb is for the worker.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);  // it died before the line above
  } else {
    ::setsid();
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDERR_FILENO);
    out = nowhere;
  }
  ::signal(SIGPIPE, SIG_DFL);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::execvp(argv[0], argv);
  const int error = errno;
  [[maybe_unused]] const auto written = ::write(report, &error, sizeof error);
  ::_exit(127);
}

}  // namespace

Child::Child(Kind kind, const std::vector<std::string>& command) : kind_(kind) {
  Pipe in, out, report;
  std::vector<char*> argv;
  for (const auto& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw Error(fmt::format("{} cannot be started: {}", command.front(), std::strerror(errno)));
  if (pid_ == 0) become(kind, argv.data(), parent, in.ends[0], out.ends[1], report.ends[1]);
  ::close(report.take(1));
  int error = 0;
  if (::read(report.ends[0], &error, sizeof error) == sizeof error) {
    ::waitpid(pid_, nullptr, 0);
    throw UsageError(fmt::format("{} cannot be started: {}", command.front(), std::strerror(error)));
  }
  to_ = in.take(1);
  if (kind == Kind::companion) from_ = out.take(0);
}

Child::~Child() {
  ::close(to_);
  if (from_ >= 0) ::close(from_);
  if (kind_ == Kind::companion) ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
}

}  // namespace uotbench
