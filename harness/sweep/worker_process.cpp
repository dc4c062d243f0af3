#include "harness/sweep/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "harness/host/memory.hpp"
#include "results/error.hpp"
#include "results/units.hpp"

namespace uotbench {
namespace {

using Clock = std::chrono::steady_clock;

// How often a waiting parent looks at memory, deadlines and signals. A kernel that allocates 10 GB/s gets
// past its limit by half a GiB in this time.
constexpr int look_milliseconds = 50;
// Reads of 64 KiB between two looks: a worker that prints faster than a terminal can show is looked at, too.
constexpr int reads_at_once = 16;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Pipe {
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(fmt::format("no pipe: {}", std::strerror(errno)));
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  int take(int end) { return std::exchange(ends[end], -1); }
  int ends[2];
};

std::string signal_text(int number) {
  const char* abbreviation = ::sigabbrev_np(number);
  std::string text =
      fmt::format("killed by SIG{} ({})", abbreviation ? abbreviation : "?", ::strsignal(number));
  if (number == SIGILL) text += ": built for an instruction set that this CPU lacks?";
  return text;
}

/// Runs between fork and exec, so only what is async-signal-safe.
[[noreturn]] void become(char* const* argv, char* const* envp, const cpu_set_t* cpus, pid_t parent, int in,
                         int out, int err, int report) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before the line above
  if (const int oom = ::open("/proc/self/oom_score_adj", O_WRONLY); oom >= 0) {
    // When memory runs out the kernel shall end a worker, not the parent that writes the records.
    [[maybe_unused]] const auto written = ::write(oom, "500", 3);
    ::close(oom);
  }
  if (cpus) ::sched_setaffinity(0, sizeof *cpus, cpus);
  for (const int ignored : {SIGPIPE, SIGXFSZ}) ::signal(ignored, SIG_DFL);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::execvpe(argv[0], argv, envp);
  const int error = errno;
  [[maybe_unused]] const auto written = ::write(report, &error, sizeof error);
  ::_exit(127);
}

/// Variables by which a shell would silently change what is measured: how many threads there are and where,
/// and how often the timing loop runs. A manifest may still set them.
bool steers_measuring(std::string_view variable) {
  return variable.starts_with("OMP_") || variable.starts_with("GOMP_") || variable.starts_with("BENCHMARK_");
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (auto& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

WorkerProcess::WorkerProcess(const Manifest& manifest, Supervision supervision, double timeout)
    : name_(manifest.name), supervision_(std::move(supervision)) {
  launch(manifest);
  try {
    hello_ = await(timeout, {});
    const Json spoken = hello_.value("protocol", Json());
    if (hello_.value("type", "") != "hello" || spoken != protocol_version)
      throw WorkerFailure{Status::failed,
                          fmt::format("worker {} speaks protocol {}, this uotbench speaks {}: rebuild it",
                                      name_, to_line(spoken), protocol_version)};
    if (!hello_.contains("build")) hello_["build"] = Json::object();
    if (!hello_["build"].is_object())
      throw WorkerFailure{Status::failed, fmt::format("worker {} says hello with build {}, not an object",
                                                      name_, to_line(hello_["build"]).substr(0, 60))};
  } catch (...) {
    kill_group();
    for (const int fd : {to_, from_, errors_}) ::close(fd);
    throw;
  }
}

WorkerProcess::~WorkerProcess() {
  if (alive()) send_quit();
  ::close(std::exchange(to_, -1));
  gone_within(1);
  kill_group();
  ::close(from_);
  ::close(errors_);
}

std::string WorkerProcess::end(bool by_quit, double seconds) {
  if (by_quit)
    send_quit();
  else
    ::close(std::exchange(to_, -1));
  if (gone_within(seconds)) return how_it_ended();
  kill_group();
  return fmt::format("still ran after {}: killed", format_wait(seconds));
}

void WorkerProcess::send_quit() {
  const std::string quit = framed({{"type", "quit"}});
  [[maybe_unused]] const auto written = ::write(to_, quit.data(), quit.size());
}

/// An idle worker leaves within a millisecond or two; one that unmaps gigabytes needs longer.
bool WorkerProcess::gone_within(double seconds) {
  const auto start = Clock::now();
  while (alive() && !reap(false) && seconds_since(start) < seconds)
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  return !alive();
}

void WorkerProcess::launch(const Manifest& manifest) {
  Pipe in, out, err, report;
  std::vector<std::string> arguments = manifest.command, environment = manifest.environment;
  for (char** variable = environ; *variable; ++variable)
    if (!steers_measuring(*variable)) environment.emplace_back(*variable);
  const auto argv = pointers(arguments), envp = pointers(environment);
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  for (const int cpu : supervision_.cpus) CPU_SET(static_cast<std::size_t>(cpu), &cpus);

  const pid_t parent = ::getpid();
  started_ = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  monotonic_ = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  pid_ = ::fork();
  if (pid_ < 0) throw Error(fmt::format("worker {} cannot be started: {}", name_, std::strerror(errno)));
  if (pid_ == 0)
    become(argv.data(), envp.data(), supervision_.cpus.empty() ? nullptr : &cpus, parent, in.ends[0],
           out.ends[1], err.ends[1], report.ends[1]);
  ::setpgid(pid_, pid_);
  ::close(report.take(1));
  int error = 0;
  if (::read(report.ends[0], &error, sizeof error) == sizeof error) {
    reap(true);
    throw WorkerFailure{Status::crashed, fmt::format("worker {} cannot be started: {}: {}", name_,
                                                     arguments.front(), std::strerror(error))};
  }
  to_ = in.take(1);
  from_ = out.take(0);
  errors_ = err.take(0);
  for (const int fd : {to_, from_, errors_}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
}

Json WorkerProcess::ask(const Json& request, const std::string& reply, double timeout,
                        const std::function<void(const Json&)>& on_progress) {
  const auto start = Clock::now();
  const std::string text = framed(request);
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::write(to_, text.data() + sent, text.size() - sent);
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {  // it is not reading: hanging, or stuck in a message of its own
      look(start, timeout);
      pump(1);
    } else if (errno != EINTR) {
      fail_dead();
    }
  }
  Json answer = await(timeout, on_progress);
  const std::string type = answer.value("type", "");
  if (type == "error" && reply != type)
    throw WorkerFailure{Status::failed, answer.value("message", "an error without a message")};
  if (type != reply)
    throw WorkerFailure{Status::failed,
                        fmt::format("worker {} answered \"{}\" where \"{}\" was asked", name_, type, reply)};
  return answer;
}

Json WorkerProcess::await(double timeout, const std::function<void(const Json&)>& on_progress) {
  const auto start = Clock::now();
  for (;;) {
    while (!inbox_.empty()) {
      Json message = std::move(inbox_.front());
      inbox_.pop_front();
      if (message.value("type", "") != "progress") return message;
      if (on_progress) on_progress(message);
    }
    look(start, timeout);
    if (!pump(look_milliseconds) && inbox_.empty()) fail_dead();
  }
}

/// Throws when it is time to stop waiting.
void WorkerProcess::look(Clock::time_point start, double timeout) {
  if (supervision_.stop && *supervision_.stop) {
    kill_group();
    throw Interrupted{};
  }
  if (seconds_since(start) > timeout) {
    kill_group();
    throw WorkerFailure{Status::timeout, fmt::format("no answer within {}: killed", format_wait(timeout))};
  }
  watch_memory();
}

/// Reads what is there, waiting at most so long; false when the worker closed its end.
bool WorkerProcess::pump(int milliseconds) try {
  std::array<pollfd, 2> ends{{{from_, POLLIN, 0}, {errors_, POLLIN, 0}}};
  ::poll(ends.data(), ends.size(), milliseconds);
  const auto text = [this](std::string_view line) { take_text(line); };
  std::array<char, 1 << 16> buffer;
  // What it printed first: its last words matter if the other end is closed.
  for (int i = 0; i < reads_at_once && errors_ >= 0; ++i) {
    const ssize_t count = ::read(errors_, buffer.data(), buffer.size());
    if (count < 0) break;
    if (count == 0) {  // closed: polled on, it would be ready for ever
      ::close(std::exchange(errors_, -1));
    } else {
      error_lines_.feed(
          {buffer.data(), static_cast<std::size_t>(count)}, [](const Json&) {}, text);
    }
  }
  for (int i = 0; i < reads_at_once; ++i) {
    const ssize_t count = ::read(from_, buffer.data(), buffer.size());
    if (count == 0) return false;
    if (count < 0) return true;
    frames_.feed(
        {buffer.data(), static_cast<std::size_t>(count)},
        [this](Json message) { inbox_.push_back(std::move(message)); }, text);
  }
  return true;
} catch (const Error& error) {
  kill_group();
  throw WorkerFailure{Status::failed, fmt::format("worker {} sent {}: killed", name_, error.what())};
}

void WorkerProcess::take_text(std::string_view line) {
  last_words_ = line.substr(0, 200);
  if (supervision_.on_text) supervision_.on_text(line);
}

void WorkerProcess::fail_dead() {
  // It closed its pipe: it is ending, or it is broken and has to be ended.
  for (int i = 0; alive() && i < 200 && !reap(false); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  pump(0);
  error_lines_.feed(
      "\n", [](const Json&) {}, [this](std::string_view line) { take_text(line); });  // a line cut short
  if (alive()) {
    kill_group();
    throw WorkerFailure{Status::crashed, "closed its pipe without answering: killed"};
  }
  std::string reason = how_it_ended();
  if (WIFEXITED(wait_status_)) reason += " without answering";
  if (!last_words_.empty()) reason += fmt::format("; it last said: {}", last_words_);
  throw WorkerFailure{Status::crashed, reason};
}

std::string WorkerProcess::how_it_ended() const {
  return WIFSIGNALED(wait_status_) ? signal_text(WTERMSIG(wait_status_))
                                   : fmt::format("exited with code {}", WEXITSTATUS(wait_status_));
}

void WorkerProcess::watch_memory() {
  if (supervision_.memory <= 0 || !alive()) return;
  const double used = resident_bytes(pid_);
  if (used <= supervision_.memory) return;
  kill_group();
  throw WorkerFailure{
      Status::crashed,
      fmt::format("used {} of memory, more than the {} there are ({}): killed", format_bytes(used),
                  format_bytes(supervision_.memory), supervision_.memory_limited_by)};
}

void WorkerProcess::kill_group() {
  if (!alive()) return;
  ::kill(-pid_, SIGTERM);
  for (int i = 0; i < 40; ++i) {
    if (reap(false)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ::kill(-pid_, SIGKILL);
  reap(true);
}

/// True when the process is gone; what it leaves in its group goes with it.
bool WorkerProcess::reap(bool block) {
  const pid_t group = pid_;
  if (::waitpid(pid_, &wait_status_, block ? 0 : WNOHANG) != pid_) return false;
  pid_ = -1;
  ::kill(-group, SIGKILL);
  return true;
}

}  // namespace uotbench
