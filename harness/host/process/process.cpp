#include "harness/host/process/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <tuple>

#include "harness/host/process/files.hpp"

namespace uotbench {
namespace {

constexpr int not_started = 127;  // as a shell has it

struct PipeEnds {
  PipeEnds() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw NoProcess(fmt::format("no pipe: {}", std::strerror(errno)));
    read = Fd(ends[0]);
    write = Fd(ends[1]);
  }
  Fd read, write;
};

/// What a stream of the child becomes: a number, or one of these.
constexpr int as_it_is = -1, to_nothing = -2;

/// Gives away this process' end of a pipe; keeps the child's in `held` until it has its copy.
int child_end(const ChildStream& stream, bool child_reads, Fd& ours, Fd& held) {
  switch (stream.kind) {
    case ChildStream::Kind::shared:
      return as_it_is;
    case ChildStream::Kind::nothing:
      return to_nothing;
    case ChildStream::Kind::file:
      return stream.file;
    case ChildStream::Kind::pipe:
      break;
  }
  PipeEnds ends;
  ours = std::move(child_reads ? ends.write : ends.read);
  held = std::move(child_reads ? ends.read : ends.write);
  return held.get();
}

/// exec's form of a list of words, which must outlive it.
std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const auto& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** variable = environ; *variable; ++variable) all.emplace_back(*variable);
  return all;
}

/// All that a child needs between fork and exec, where nothing can be allocated.
struct Becoming {
  char* const* argv;
  char* const* environment;
  const char* folder;
  const cpu_set_t* cpus;  ///< null: not confined
  ChildStart::Group group;
  bool dies_with_parent, first_without_memory, errors_to_out;
  pid_t parent;
  int in, out, errors, report;
};

void put(int source, int stream, int flags) {
  if (source == to_nothing) source = ::open("/dev/null", flags);
  if (source < 0) return;
  ::dup2(source, stream);
  ::fcntl(stream, F_SETFD, 0);  // where it was that number already, it would be closed by exec
}

/// Runs between fork and exec, so only what is async-signal-safe.
[[noreturn]] void become(const Becoming& what) {
  if (what.group == ChildStart::Group::own) ::setpgid(0, 0);
  if (what.group == ChildStart::Group::session) ::setsid();
  if (what.dies_with_parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != what.parent) ::_exit(not_started);  // it died before the line above
  }
  if (what.first_without_memory) {
    if (const int oom = ::open("/proc/self/oom_score_adj", O_WRONLY); oom >= 0) {
      [[maybe_unused]] const auto written = ::write(oom, "500", 3);
      ::close(oom);
    }
  }
  if (what.cpus) ::sched_setaffinity(0, sizeof *what.cpus, what.cpus);
  for (const int ignored : {SIGPIPE, SIGXFSZ}) ::signal(ignored, SIG_DFL);
  // Batch systems send it to all processes of a job; it is meant for the one that started them.
  ::signal(SIGUSR1, SIG_IGN);
  put(what.in, STDIN_FILENO, O_RDONLY);
  put(what.out, STDOUT_FILENO, O_WRONLY);
  if (what.errors_to_out)
    ::dup2(STDOUT_FILENO, STDERR_FILENO);
  else
    put(what.errors, STDERR_FILENO, O_WRONLY);
  if (!*what.folder || ::chdir(what.folder) == 0) ::execvpe(what.argv[0], what.argv, what.environment);
  const int error = errno;
  [[maybe_unused]] const auto written = ::write(what.report, &error, sizeof error);
  ::_exit(not_started);
}

/// In every program that starts another: a child that dies is an error where it is written to. (A child has
/// the signal as it was meant.)
void ignore_broken_pipes() {
  static const auto before = ::signal(SIGPIPE, SIG_IGN);
  std::ignore = before;
}

}  // namespace

ChildProcess::ChildProcess(const ChildStart& start) : group_(start.group) {
  ignore_broken_pipes();
  const std::string& program = start.command.front();
  const std::string folder = start.folder.string();
  const auto argv = pointers(start.command);
  auto environment = start.environment;
  if (start.owns_process_tree) {
    tree_.emplace();
    adopt_orphans();
    if (!environment) environment = own_environment();
    disown(*environment);
    environment->push_back(tree_->variable());
  }
  const auto variables = environment ? pointers(*environment) : std::vector<char*>();
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  for (const int cpu : start.cpus) CPU_SET(static_cast<std::size_t>(cpu), &cpus);

  Fd held_in, held_out, held_errors;
  PipeEnds report;
  Becoming becoming{
      .argv = argv.data(),
      .environment = environment ? variables.data() : environ,
      .folder = folder.c_str(),
      .cpus = start.cpus.empty() ? nullptr : &cpus,
      .group = start.group,
      .dies_with_parent = start.dies_with_parent,
      .first_without_memory = start.first_without_memory,
      .errors_to_out = start.errors_to_out,
      .parent = ::getpid(),
      .in = child_end(start.in, true, in, held_in),
      .out = child_end(start.out, false, out, held_out),
      .errors = start.errors_to_out ? as_it_is : child_end(start.errors, false, errors, held_errors),
      .report = report.write.get()};
  pid_ = fork_known();
  if (pid_ < 0) throw NoProcess(fmt::format("{} cannot be started: {}", program, std::strerror(errno)));
  if (pid_ == 0) become(becoming);
  // Whoever comes first, parent or child: a signal to the group must not be too early.
  if (group_ == ChildStart::Group::own) ::setpgid(pid_, pid_);
  report.write.close();
  int error = 0;
  ssize_t count = 0;
  while ((count = ::read(report.read.get(), &error, sizeof error)) < 0 && errno == EINTR) continue;
  if (count == sizeof error) {
    wait();
    throw StartFailure(program, std::strerror(error));
  }
}

ChildProcess::~ChildProcess() {
  if (!ended_) kill();
}

void ChildProcess::look(int options) {
  if (ended_) return;
  pid_t answer = 0;
  while ((answer = ::waitpid(pid_, &status_, options)) < 0 && errno == EINTR) continue;
  if (answer == 0) return;
  ended_ = true;
  forget_known(pid_);
  if (group_ == ChildStart::Group::own) ::kill(-pid_, SIGKILL);
  if (!tree_) return;
  tree_->end();
  end_strays();
}

bool ChildProcess::has_ended() {
  look(WNOHANG);
  return ended_;
}

void ChildProcess::wait() { look(0); }

void ChildProcess::signal(int number) const {
  if (!ended_) ::kill(group_ == ChildStart::Group::own ? -pid_ : pid_, number);
}

std::vector<pid_t> ChildProcess::processes() {
  if (ended_) return {};
  auto all = tree_ ? tree_->alive() : std::vector<pid_t>();
  const auto add = [&](pid_t pid) {
    if (std::ranges::find(all, pid) == all.end()) all.push_back(pid);
  };
  add(pid_);
  if (tree_)  // those that dropped its mark
    for (const pid_t pid : descendants(pid_)) add(pid);
  return all;
}

void ChildProcess::pause() {
  signal(SIGSTOP);
  // One that has just been started is not there yet when others are stopped.
  for (bool more = true; more;) {
    more = false;
    for (const pid_t pid : processes())
      if (paused_.insert(pid).second) {
        ::kill(pid, SIGSTOP);
        more = true;
      }
  }
  if (tree_) end_strays();
}

void ChildProcess::resume() {
  if (paused_.empty()) return;
  for (const pid_t pid : paused_) ::kill(pid, SIGCONT);
  signal(SIGCONT);
  paused_.clear();
}

void ChildProcess::kill() {
  processes();  // met while they live, they are waited for
  signal(SIGKILL);
  wait();
}

void ChildProcess::end(std::chrono::milliseconds patience) {
  const auto all = processes();
  resume();
  const auto ends_within = [&](std::chrono::milliseconds time) {
    const auto late = std::chrono::steady_clock::now() + time;
    while (!has_ended() && std::chrono::steady_clock::now() < late)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return ended_;
  };
  // First those in groups of their own: a launcher that is told to end passes on no more of what they say.
  bool others = false;
  for (const pid_t one : all)
    if (one != pid_ && ::getpgid(one) != pid_) others = ::kill(one, SIGTERM) == 0 || others;
  // On a loaded machine a launcher is slow to pass words on.
  if (others && ends_within(10 * patience)) return;
  signal(SIGTERM);
  if (!ends_within(patience)) kill();
}

int ChildProcess::code() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_); }

bool catches(pid_t pid, int signal, const std::filesystem::path& root) {
  const std::string status = read_text(root / fmt::format("proc/{}/status", pid)).value_or("");
  const std::string key = "\nSigCgt:\t";
  const auto at = status.find(key);
  if (at == std::string::npos) return false;
  const std::uint64_t caught = std::strtoull(status.c_str() + at + key.size(), nullptr, 16);
  return (caught >> (signal - 1)) & 1;  // bit 0 is signal 1
}

}  // namespace uotbench
