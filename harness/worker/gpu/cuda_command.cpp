#include "harness/worker/gpu/cuda_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>

#include "results/error.hpp"

namespace uotbench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int not_started = 127;  // as a shell has it

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw Error(fmt::format("no pipe: {}", std::strerror(errno)));
  }
  ~Pipe() {
    ::close(ends_[0]);
    close_in();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int out() const { return ends_[0]; }
  int in() const { return ends_[1]; }
  void close_in() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// exec's form of a list of words, which must outlive it.
std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const auto& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

/// This process', but for the locale: numbers are to have points in them, whoever runs it.
std::vector<std::string> environment() {
  std::vector<std::string> all{"LC_ALL=C"};
  for (char** each = environ; *each; ++each)
    if (!std::string_view(*each).starts_with("LC_ALL=")) all.emplace_back(*each);
  return all;
}

/// Runs between fork and exec, so only what is async-signal-safe.
[[noreturn]] void become(char* const* argv, char* const* environment, pid_t parent, int out) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(not_started);  // it died before the line above
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);
  ::execvpe(argv[0], argv, environment);
  ::_exit(not_started);
}

/// What it started first, so that nothing is left without a parent that names it.
void kill_all(pid_t pid) {
  ::kill(pid, SIGSTOP);  // it starts no more
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", pid));
  for (pid_t child = 0; children >> child;) kill_all(child);
  ::kill(pid, SIGKILL);
}

/// Appends what can be read now.
void read_on(int from, std::string& said, int milliseconds) {
  pollfd ready{.fd = from, .events = POLLIN, .revents = 0};
  std::array<char, 4096> buffer;
  while (::poll(&ready, 1, milliseconds) > 0) {
    const ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count <= 0) {
      if (milliseconds > 0) ::poll(nullptr, 0, milliseconds);  // closed, but not at its end
      return;
    }
    said.append(buffer.data(), static_cast<std::size_t>(count));
    milliseconds = 0;
  }
}

std::optional<int> ended(pid_t pid, int options) {
  int status = 0;
  pid_t answer = 0;
  while ((answer = ::waitpid(pid, &status, options)) < 0 && errno == EINTR) continue;
  if (answer == 0) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Ended run_command(const std::vector<std::string>& command, double seconds) {
  Pipe pipe;
  const auto argv = pointers(command);
  const auto words = environment();
  const auto variables = pointers(words);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw Error(fmt::format("{} cannot be started: {}", command.front(), std::strerror(errno)));
  if (pid == 0) become(argv.data(), variables.data(), parent, pipe.in());
  pipe.close_in();

  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  constexpr int patience = 20;  // milliseconds between looks
  Ended result;
  std::optional<int> code;
  while (!(code = ended(pid, WNOHANG)) && Clock::now() < end) read_on(pipe.out(), result.said, patience);
  if (!code) {
    kill_all(pid);
    result.in_time = false;
    code = ended(pid, 0);
  }
  read_on(pipe.out(), result.said, 0);
  result.code = *code;
  if (result.code == not_started && result.said.empty())
    throw Error(fmt::format("{} cannot be started", command.front()));
  return result;
}

}  // namespace uotbench
