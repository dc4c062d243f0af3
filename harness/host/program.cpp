#include "harness/host/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>

namespace uotbench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int not_started = 127;  // as a shell has it

std::runtime_error cannot(const std::string& what) {
  return std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw cannot("no pipe");
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

/// This process', but for what is changed.
std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  const auto name_of = [](std::string_view setting) { return setting.substr(0, setting.find('=')); };
  std::vector<std::string> all;
  for (char** each = environ; *each; ++each)
    if (std::ranges::none_of(changes, [&](const auto& change) { return name_of(change) == name_of(*each); }))
      all.emplace_back(*each);
  for (const auto& change : changes)
    if (change.find('=') != std::string::npos) all.push_back(change);
  return all;
}

/// Runs between fork and exec, so only what is async-signal-safe.
[[noreturn]] void become(char* const* argv, char* const* environment, const char* folder, bool own_group,
                         pid_t parent, int out, int errors, int report) {
  if (own_group) ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(not_started);  // it died before the line above
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  for (const int ignored : {SIGPIPE, SIGXFSZ}) ::signal(ignored, SIG_DFL);
  if (!*folder || ::chdir(folder) == 0) ::execvpe(argv[0], argv, environment);
  const int error = errno;
  [[maybe_unused]] const auto written = ::write(report, &error, sizeof error);
  ::_exit(not_started);
}

/// What it started first, so that nothing is left without a parent that names it.
void kill_all(pid_t pid) {
  ::kill(pid, SIGSTOP);  // it starts no more
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", pid));
  for (pid_t child = 0; children >> child;) kill_all(child);
  ::kill(pid, SIGKILL);
}

std::optional<int> ended(pid_t pid, int options) {
  int status = 0;
  pid_t answer = 0;
  while ((answer = ::waitpid(pid, &status, options)) < 0 && errno == EINTR) continue;
  if (answer == 0) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A compiler that is told to end removes what it has half written; what does not end then is killed.
int end_group(pid_t pid) {
  ::kill(-pid, SIGTERM);
  std::optional<int> code;
  for (int i = 0; i < 100 && !(code = ended(pid, WNOHANG)); ++i) ::poll(nullptr, 0, 10);
  ::kill(-pid, SIGKILL);
  return code ? *code : *ended(pid, 0);
}

class Running {
 public:
  explicit Running(const ProgramRun& run) : run_(run) { start(); }

  Ended to_its_end() {
    const auto start = Clock::now();
    constexpr int patience = 20, at_the_end = 1;  // milliseconds between looks; where it has closed its ends
    std::optional<int> code;
    while (!(code = ended(pid_, WNOHANG))) {
      result_.stopped = run_.stop && *run_.stop;
      result_.in_time = std::chrono::duration<double>(Clock::now() - start).count() < run_.seconds;
      if (result_.stopped || !result_.in_time) break;
      read_on(open_[0] || open_[1] ? patience : at_the_end);
    }
    if (!code && run_.own_group) {
      code = end_group(pid_);
    } else if (!code) {
      kill_all(pid_);
      code = ended(pid_, 0);
    } else if (run_.own_group) {
      ::kill(-pid_, SIGKILL);
    }
    while (read_on(0)) continue;
    result_.code = *code;
    return std::move(result_);
  }

 private:
  void start() {
    const auto argv = pointers(run_.command);
    const auto words = environment_with(run_.environment);
    const auto variables = pointers(words);
    const std::string folder = run_.folder.string();
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) throw cannot(run_.command.front() + " cannot be started");
    if (pid_ == 0)
      become(argv.data(), variables.data(), folder.c_str(), run_.own_group, parent, out_.in(),
             run_.errors_apart ? errors_.in() : out_.in(), report_.in());
    if (run_.own_group) ::setpgid(pid_, pid_);
    for (Pipe* pipe : {&out_, &errors_, &report_}) pipe->close_in();
    int error = 0;
    if (::read(report_.out(), &error, sizeof error) == sizeof error) {
      ended(pid_, 0);
      errno = error;
      throw cannot(run_.command.front() + " cannot be started");
    }
  }

  /// Takes what can be read now, a bounded part of it, after waiting at most so long; false: nothing.
  bool read_on(int milliseconds) {
    std::array<pollfd, 2> ends{
        {{open_[0] ? out_.out() : -1, POLLIN, 0}, {open_[1] ? errors_.out() : -1, POLLIN, 0}}};
    if (::poll(ends.data(), ends.size(), milliseconds) <= 0) return false;
    bool any = false;
    std::array<char, 1 << 16> buffer;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (!ends[i].revents) continue;
      const ssize_t count = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (count <= 0) {  // closed, though perhaps not at its end: polled on, it would be ready for ever
        open_[i] = false;
        continue;
      }
      any = true;
      const std::string_view text(buffer.data(), static_cast<std::size_t>(count));
      if (i == 1)
        result_.errors += text;
      else if (run_.on_said)
        run_.on_said(text);
      else
        result_.said += text;
    }
    return any;
  }

  const ProgramRun& run_;
  Pipe out_, errors_, report_;
  std::array<bool, 2> open_{true, true};
  pid_t pid_ = -1;
  Ended result_;
};

}  // namespace

Ended run_program(const ProgramRun& run) { return Running(run).to_its_end(); }

}  // namespace uotbench
